module github.com/wherrygo/wherry/lab/realworld/jobs/h3

go 1.24

require (
	github.com/uber/h3-go/v4 v4.5.0
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
