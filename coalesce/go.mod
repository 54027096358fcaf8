module github.com/wherrygo/wherry/coalesce

go 1.24
