module github.com/wherrygo/wherry/bench

go 1.24

require (
	github.com/wherrygo/wherry v0.0.0
)

replace github.com/wherrygo/wherry => ../
