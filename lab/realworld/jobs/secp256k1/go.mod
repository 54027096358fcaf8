module github.com/wherrygo/wherry/lab/realworld/jobs/secp256k1

go 1.25.0

require (
	github.com/ethereum/go-ethereum v1.17.10
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
