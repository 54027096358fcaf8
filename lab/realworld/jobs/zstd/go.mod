module github.com/wherrygo/wherry/lab/realworld/jobs/zstd

go 1.24

require (
	github.com/DataDog/zstd v1.5.7
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
