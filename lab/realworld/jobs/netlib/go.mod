module github.com/wherrygo/wherry/lab/realworld/jobs/netlib

go 1.24

require gonum.org/v1/netlib v0.0.0-20190313105609-8cb42192e0e0

require (
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
	gonum.org/v1/gonum v0.6.0 // indirect
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
