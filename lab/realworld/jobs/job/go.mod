module github.com/wherrygo/wherry/lab/realworld/jobs/job

go 1.24
