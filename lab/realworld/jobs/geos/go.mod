module github.com/wherrygo/wherry/lab/realworld/jobs/geos

go 1.24

require (
	github.com/peterstace/simplefeatures v0.50.0
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
