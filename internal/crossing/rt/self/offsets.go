//go:build go1.26

package self

// In g and in m, from Go 1.26 on.
const (
	GSyscallSP     = 104
	GThrowSplit    = 183
	GNoCgoCallback = 189
	GLockedM       = 208
	MIncgo         = 280
	MNcgo          = 328
	MLockedG       = 384
	MLockedExt     = 648
	MLockedInt     = 652
	MVdsoSP        = 896
	MSignalPending = 916
)
