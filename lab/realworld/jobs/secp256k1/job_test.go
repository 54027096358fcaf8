package main

import (
	"bytes"
	"testing"

	"github.com/ethereum/go-ethereum/crypto/secp256k1"
	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
)

// BenchmarkJob signs ten hashes, and finds the key in each signature.
func BenchmarkJob(b *testing.B) {
	secret := bytes.Repeat([]byte{7}, 32)
	var key []byte
	for range job.Ops(b) {
		for i := range 10 {
			hash := bytes.Repeat([]byte{byte(i + 1)}, 32)
			signature, err := secp256k1.Sign(hash, secret)
			if err != nil {
				b.Fatal(err)
			}
			found, err := secp256k1.RecoverPubkey(hash, signature)
			if err != nil || key != nil && !bytes.Equal(found, key) || !secp256k1.VerifySignature(found, hash, signature[:64]) {
				b.Fatalf("got the key %x, %v, want %x", found, err, key)
			}
			key = found
		}
	}
}
