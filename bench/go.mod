module github.com/wherrygo/wherry/bench

go 1.24
