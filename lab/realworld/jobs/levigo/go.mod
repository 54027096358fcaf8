module github.com/wherrygo/wherry/lab/realworld/jobs/levigo

go 1.24

require (
	github.com/jmhodges/levigo v1.0.0
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
