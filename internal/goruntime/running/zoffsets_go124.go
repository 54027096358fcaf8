// Code generated from internal/goruntime/runtime.list by script/generate; DO NOT EDIT.

//go:build go1.24 && !go1.25

package running

const (
	D_FN            = 24
	D_HEAP          = 0
	D_LINK          = 32
	D_RANGEFUNC     = 1
	D_SP            = 8
	G_DEFER         = 40
	G_LOCKEDM       = 216
	G_M             = 48
	G_NOCGOCALLBACK = 197
	G_SCHED_BP      = 104
	G_SCHED_PC      = 64
	G_SCHED_SP      = 56
	G_STACKGUARD0   = 16
	G_STACKGUARD1   = 24
	G_STACK_HI      = 8
	G_STACK_LO      = 0
	G_SYSCALLBP     = 128
	G_SYSCALLPC     = 120
	G_SYSCALLSP     = 112
	G_THROWSPLIT    = 191
	M_CURG          = 192
	M_G0            = 0
	M_INCGO         = 280
	M_LOCKEDEXT     = 632
	M_LOCKEDG       = 368
	M_LOCKEDINT     = 636
	M_NCGO          = 328
	M_SIGNALPENDING = 924
	M_VDSOPC        = 912
	M_VDSOSP        = 904
)
