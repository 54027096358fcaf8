module github.com/wherrygo/wherry/lab/realworld/jobs/gopacket

go 1.24

require github.com/google/gopacket v1.1.19

require (
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
	golang.org/x/net v0.0.0-20190620200207-3b0461eec859 // indirect
	golang.org/x/sys v0.0.0-20190412213103-97732733099d // indirect
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
