module github.com/wherrygo/wherry/lab/realworld/jobs/gozstd

go 1.24

require (
	github.com/valyala/gozstd v1.24.0
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
