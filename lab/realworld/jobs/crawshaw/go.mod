module github.com/wherrygo/wherry/lab/realworld/jobs/crawshaw

go 1.24

require (
	crawshaw.io/sqlite v0.3.2
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
