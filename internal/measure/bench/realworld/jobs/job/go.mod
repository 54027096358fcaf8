module github.com/wherrygo/wherry/internal/measure/bench/realworld/jobs/job

go 1.24
