module github.com/wherrygo/wherry/lab/realworld/jobs/pkcs11

go 1.24

require (
	github.com/miekg/pkcs11 v1.1.2
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
