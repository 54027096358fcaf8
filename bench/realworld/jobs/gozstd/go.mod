module github.com/wherrygo/wherry/bench/realworld/jobs/gozstd

go 1.24

require github.com/valyala/gozstd v1.24.0
