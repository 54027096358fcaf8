//go:build !go1.25

package self

// In g and in m of Go 1.24.
const (
	GSyscallSP     = 112
	GThrowSplit    = 191
	GNoCgoCallback = 197
	GLockedM       = 216
	MIncgo         = 280
	MNcgo          = 328
	MLockedG       = 368
	MLockedExt     = 632
	MLockedInt     = 636
	MVdsoSP        = 904
	MSignalPending = 924
)
