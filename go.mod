module github.com/wherrygo/wherry

go 1.24
