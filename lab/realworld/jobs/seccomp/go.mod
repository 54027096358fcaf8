module github.com/wherrygo/wherry/lab/realworld/jobs/seccomp

go 1.24

require (
	github.com/seccomp/libseccomp-golang v0.11.1
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
