module github.com/wherrygo/wherry/lab/realworld/jobs/grocksdb

go 1.24

require (
	github.com/linxGnu/grocksdb v1.7.10
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
