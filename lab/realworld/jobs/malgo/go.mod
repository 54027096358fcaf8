module github.com/wherrygo/wherry/lab/realworld/jobs/malgo

go 1.24

require (
	github.com/gen2brain/malgo v0.11.24
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
