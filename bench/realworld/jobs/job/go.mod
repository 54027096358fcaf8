module github.com/wherrygo/wherry/bench/realworld/jobs/job

go 1.24
