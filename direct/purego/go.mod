module github.com/wherrygo/wherry/direct/purego

go 1.24

require (
	github.com/ebitengine/purego v0.10.0
	github.com/wherrygo/wherry v0.1.0
)

replace github.com/wherrygo/wherry => ../..
