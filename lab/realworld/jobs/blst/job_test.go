package main

import (
	"fmt"
	"testing"

	blst "github.com/supranational/blst/bindings/go"
	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
)

// BenchmarkJob signs a message with 16 keys, and verifies the aggregate of the
// signatures.
func BenchmarkJob(b *testing.B) {
	tag := []byte("BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_")
	message := []byte("block 1")
	var secrets []*blst.SecretKey
	var keys []*blst.P1Affine
	for i := range 16 {
		secret := blst.KeyGen(fmt.Appendf(nil, "%032d", i))
		secrets = append(secrets, secret)
		keys = append(keys, new(blst.P1Affine).From(secret))
	}
	for range job.Ops(b) {
		var signatures []*blst.P2Affine
		for _, s := range secrets {
			signatures = append(signatures, new(blst.P2Affine).Sign(s, message, tag))
		}
		var all blst.P2Aggregate
		if !all.Aggregate(signatures, true) {
			b.Fatal("a signature is not in the group")
		}
		if one := all.ToAffine(); !one.FastAggregateVerify(true, keys, message, tag) || one.FastAggregateVerify(true, keys[1:], message, tag) {
			b.Fatal("the signatures of 16 must be valid, and not those of 15")
		}
	}
}
