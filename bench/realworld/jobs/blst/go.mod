module github.com/wherrygo/wherry/bench/realworld/jobs/blst

go 1.24

require github.com/supranational/blst v0.3.17
