//go:build linux

package coalesce

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/wherrygo/wherry/coalesce"
)

// client returns an HTTP client whose connections are written in the bench's way.
func (b *bench) client() *http.Client {
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dialer(b.congestion).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		way := b.way
		if way == "bufio" || way == "coalesce" {
			way = "default" // above or below the transport
		}
		s, err := bind(way, c.(*net.TCPConn))
		if err != nil {
			return nil, err
		}
		b.streams = append(b.streams, s)
		return c, nil
	}
	t := &http.Transport{DialContext: dial, ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	if b.way == "coalesce" {
		t = coalesce.Transport(t)
	}
	return &http.Client{Transport: t}
}

func (b *bench) send(client *http.Client, scheme string, body io.Reader, want int64) error {
	port := map[string]string{"http": httpPort, "https": httpsPort}[scheme]
	r, err := client.Post(scheme+"://"+net.JoinHostPort(b.far, port)+"/", "application/json", body)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || string(text) != fmt.Sprint(want) {
		return fmt.Errorf("%s: answer %q, %v, want %d", r.Status, text, err, want)
	}
	if (r.ProtoMajor == 2) != (scheme == "https") {
		return fmt.Errorf("%s over %s", r.Proto, scheme)
	}
	return nil
}

// upload streams lines of JSON of 50 bytes through an io.Pipe.
func upload(b *bench, scheme string) error {
	client := b.client()
	if err := b.send(client, scheme, strings.NewReader("{}"), 2); err != nil { // connects
		return err
	}
	if err := b.begin(); err != nil {
		return err
	}
	const lines = 40000
	pr, pw := io.Pipe()
	go func() {
		pw.CloseWithError(writeLines(pw, lines, b.way == "bufio"))
	}()
	if err := b.send(client, scheme, pr, lines*50); err != nil {
		return err
	}
	return b.end(lines * 50)
}

// post sends POST requests of 200 bytes over HTTP/2.
func post(b *bench) error {
	client := b.client()
	body := strings.Repeat("x", 200)
	count := 3000
	if b.place != "veth" || b.way == "nagle" {
		count = 40
	}
	return b.repeat(count, func() error { return b.send(client, "https", strings.NewReader(body), 200) })
}

// writeLines writes JSON as an encoder does: a line of 50 bytes a time.
func writeLines(w io.Writer, lines int, byHand bool) error {
	var b *bufio.Writer
	if byHand {
		b = bufio.NewWriterSize(w, 4096)
		w = b
	}
	for i := range lines {
		if _, err := fmt.Fprintf(w, `{"line":%8d,"text":"some text of a line..."}`+"\n", i); err != nil {
			return err
		}
	}
	if b != nil {
		return b.Flush()
	}
	return nil
}
