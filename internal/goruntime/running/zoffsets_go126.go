// Code generated from internal/goruntime/runtime.list by script/generate; DO NOT EDIT.

//go:build go1.26

package running

const (
	D_FN            = 24
	D_HEAP          = 0
	D_LINK          = 32
	D_RANGEFUNC     = 1
	D_SP            = 8
	G_DEFER         = 40
	G_LOCKEDM       = 208
	G_M             = 48
	G_NOCGOCALLBACK = 189
	G_SCHED_BP      = 96
	G_SCHED_PC      = 64
	G_SCHED_SP      = 56
	G_STACKGUARD0   = 16
	G_STACKGUARD1   = 24
	G_STACK_HI      = 8
	G_STACK_LO      = 0
	G_SYSCALLBP     = 120
	G_SYSCALLPC     = 112
	G_SYSCALLSP     = 104
	G_THROWSPLIT    = 183
	M_CURG          = 184
	M_G0            = 0
	M_INCGO         = 280
	M_LOCKEDEXT     = 648
	M_LOCKEDG       = 384
	M_LOCKEDINT     = 652
	M_NCGO          = 328
	M_SIGNALPENDING = 916
	M_VDSOPC        = 904
	M_VDSOSP        = 896
)
