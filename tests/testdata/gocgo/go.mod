module gocgo.test

go 1.24
