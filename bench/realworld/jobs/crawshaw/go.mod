module github.com/wherrygo/wherry/bench/realworld/jobs/crawshaw

go 1.24

require crawshaw.io/sqlite v0.3.2
