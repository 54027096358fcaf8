module github.com/wherrygo/wherry/bench

go 1.24

require (
	github.com/wherrygo/wherry v0.0.0
	golang.org/x/net v0.43.0
)

require golang.org/x/text v0.28.0 // indirect

replace github.com/wherrygo/wherry => ../
