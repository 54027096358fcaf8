module github.com/wherrygo/wherry/lab/realworld/jobs/opus

go 1.24

require (
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
	gopkg.in/hraban/opus.v2 v2.0.0-20230925203106-0188a62cb302
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
