module github.com/wherrygo/wherry/bench/realworld/jobs/zmq4

go 1.24

require github.com/pebbe/zmq4 v1.4.0
