module github.com/wherrygo/wherry/lab/realworld/jobs/sqlite3

go 1.24

require (
	github.com/mattn/go-sqlite3 v1.14.52
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
