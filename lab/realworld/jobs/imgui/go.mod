module github.com/wherrygo/wherry/lab/realworld/jobs/imgui

go 1.24.0

require (
	github.com/AllenDang/cimgui-go v1.3.0
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
