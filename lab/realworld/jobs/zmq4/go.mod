module github.com/wherrygo/wherry/lab/realworld/jobs/zmq4

go 1.24

require (
	github.com/pebbe/zmq4 v1.4.0
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
