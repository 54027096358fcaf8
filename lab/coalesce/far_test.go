//go:build linux

package coalesce

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"time"
)

// Ports of the far end.
const (
	sinkPort    = "7001" // reads to the end, then answers with the number of bytes and closes
	requestPort = "7002" // reads 4 bytes, a size; then answers each message of that size with 50 bytes
	httpPort    = "7003"
	httpsPort   = "7004"
)

// far serves until it is killed. It uses no package of ours.
func far(args []string) error {
	address := args[0]
	listeners := map[string]net.Listener{}
	for _, port := range []string{sinkPort, requestPort, httpPort, httpsPort} {
		l, err := net.Listen("tcp", net.JoinHostPort(address, port))
		if err != nil {
			return err
		}
		listeners[port] = l
	}
	certificate, err := selfSigned(address)
	if err != nil {
		return err
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := io.Copy(io.Discard, r.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
		}
		fmt.Fprint(w, n)
	})
	go http.Serve(listeners[httpPort], handler)
	server := &http.Server{Handler: handler, TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}}}
	go server.ServeTLS(listeners[httpsPort], "", "")
	go accept(listeners[sinkPort], sink)
	fmt.Println("ready")
	return accept(listeners[requestPort], answer)
}

func accept(l net.Listener, serve func(net.Conn)) error {
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		go func() { defer c.Close(); serve(c) }()
	}
}

func sink(c net.Conn) {
	buffer, n := make([]byte, 256<<10), int64(0)
	for {
		k, err := c.Read(buffer)
		n += int64(k)
		if err != nil {
			break
		}
	}
	binary.Write(c, binary.BigEndian, n)
}

func answer(c net.Conn) {
	var size uint32
	if binary.Read(c, binary.BigEndian, &size) != nil {
		return
	}
	message, reply := make([]byte, size), make([]byte, 50)
	for {
		if _, err := io.ReadFull(c, message); err != nil {
			return
		}
		if _, err := c.Write(reply); err != nil {
			return
		}
	}
}

func selfSigned(address string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotBefore:    time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.ParseIP(address)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}
