module github.com/wherrygo/wherry/lab/realworld/jobs/sdl2

go 1.24

require (
	github.com/veandco/go-sdl2 v0.4.39
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
