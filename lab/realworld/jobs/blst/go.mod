module github.com/wherrygo/wherry/lab/realworld/jobs/blst

go 1.24

require (
	github.com/supranational/blst v0.3.17
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
