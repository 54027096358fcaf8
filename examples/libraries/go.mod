module github.com/wherrygo/wherry/examples/libraries

go 1.24

require (
	github.com/wherrygo/wherry v0.1.0
	github.com/wherrygo/wherry/direct/purego v0.0.0
)

require github.com/ebitengine/purego v0.10.0 // indirect

replace (
	github.com/wherrygo/wherry => ../..
	github.com/wherrygo/wherry/direct/purego => ../../direct/purego
)
