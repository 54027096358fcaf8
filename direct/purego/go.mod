module github.com/wherrygo/wherry/direct/purego

go 1.25.0

require (
	github.com/ebitengine/purego v0.11.3
	github.com/wherrygo/wherry v0.0.0
)

replace github.com/wherrygo/wherry => ../..
