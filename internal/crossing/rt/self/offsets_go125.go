//go:build go1.25 && !go1.26

package self

// In g and in m of Go 1.25.
const (
	GSyscallSP     = 104
	GThrowSplit    = 183
	GNoCgoCallback = 189
	GLockedM       = 208
	MIncgo         = 272
	MNcgo          = 320
	MLockedG       = 360
	MLockedExt     = 624
	MLockedInt     = 628
	MVdsoSP        = 896
	MSignalPending = 916
)
