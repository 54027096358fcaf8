module github.com/wherrygo/wherry/examples

go 1.24

require (
	github.com/mattn/go-sqlite3 v1.14.52
	github.com/smacker/go-tree-sitter v0.0.0-20240827094217-dd81d9e9be82
	github.com/uber/h3-go/v4 v4.5.0
)
