module github.com/wherrygo/wherry/lab/realworld/jobs/duktape

go 1.24

require gopkg.in/olebedev/go-duktape.v3 v3.0.0-20200619000410-60c24ae608a6

require (
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
	gopkg.in/check.v1 v1.0.0-20201130134442-10cb98267c6c // indirect
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
