module github.com/wherrygo/wherry/lab/realworld/jobs/webp

go 1.24

require (
	github.com/chai2010/webp v1.4.0
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
