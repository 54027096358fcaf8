package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/miekg/pkcs11"
	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
)

// BenchmarkJob encrypts and decrypts 100 messages with a key that the token holds.
func BenchmarkJob(b *testing.B) {
	dir := b.TempDir()
	config := filepath.Join(dir, "softhsm2.conf")
	if err := os.WriteFile(config, []byte("directories.tokendir = "+dir+"\nlog.level = ERROR\n"), 0o666); err != nil {
		b.Fatal(err)
	}
	b.Setenv("SOFTHSM2_CONF", config)
	p := pkcs11.New("/usr/lib/softhsm/libsofthsm2.so")
	if p == nil {
		b.Fatal("no SoftHSM")
	}
	check := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	check(p.Initialize())
	defer p.Finalize() // not p.Destroy: of a library that is gone a profile has no name
	slots, err := p.GetSlotList(true)
	check(err)
	check(p.InitToken(slots[0], "1234", "job"))
	slots, err = p.GetSlotList(true)
	check(err)
	session, err := p.OpenSession(slots[0], pkcs11.CKF_SERIAL_SESSION|pkcs11.CKF_RW_SESSION)
	check(err)
	check(p.Login(session, pkcs11.CKU_SO, "1234"))
	check(p.InitPIN(session, "5678"))
	check(p.Logout(session))
	check(p.Login(session, pkcs11.CKU_USER, "5678"))
	key, err := p.GenerateKey(session, []*pkcs11.Mechanism{pkcs11.NewMechanism(pkcs11.CKM_AES_KEY_GEN, nil)}, []*pkcs11.Attribute{
		pkcs11.NewAttribute(pkcs11.CKA_VALUE_LEN, 16), pkcs11.NewAttribute(pkcs11.CKA_TOKEN, false),
		pkcs11.NewAttribute(pkcs11.CKA_ENCRYPT, true), pkcs11.NewAttribute(pkcs11.CKA_DECRYPT, true),
	})
	check(err)
	message := bytes.Repeat([]byte("secret  "), 8)
	cbc := []*pkcs11.Mechanism{pkcs11.NewMechanism(pkcs11.CKM_AES_CBC_PAD, make([]byte, 16))}
	for range job.Ops(b) {
		for range 100 {
			check(p.EncryptInit(session, cbc, key))
			cipher, err := p.Encrypt(session, message)
			check(err)
			check(p.DecryptInit(session, cbc, key))
			back, err := p.Decrypt(session, cipher)
			if err != nil || !bytes.Equal(back, message) || bytes.Contains(cipher, message[:8]) {
				b.Fatalf("got %q, %v", back, err)
			}
		}
	}
}
