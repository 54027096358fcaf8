module github.com/wherrygo/wherry/lab

go 1.24

require (
	github.com/ebitengine/purego v0.8.4
	github.com/mattn/go-pointer v0.0.1
	github.com/wherrygo/wherry v0.0.0
	github.com/wherrygo/wherry/coalesce v0.0.0
	golang.org/x/net v0.43.0
)

require (
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
	golang.org/x/perf v0.0.0-20250710210952-7b7c2de18447 // indirect
	golang.org/x/text v0.28.0 // indirect
)

replace (
	github.com/wherrygo/wherry => ..
	github.com/wherrygo/wherry/coalesce => ../coalesce
)

tool golang.org/x/perf/cmd/benchstat
