// Package conformance runs the test suites of others over wherry's packages.
package conformance

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wherrygo/wherry/coalesce"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/h2c"
	"golang.org/x/net/nettest"
)

// pair returns a function as nettest wants it. wrap says which ends are wrapped.
func pair(network string, wrap [2]bool) nettest.MakePipe {
	return func() (c1, c2 net.Conn, stop func(), err error) {
		dir, err := os.MkdirTemp("", "")
		if err != nil {
			return nil, nil, nil, err
		}
		defer os.RemoveAll(dir)
		address := "127.0.0.1:0"
		if network == "unix" {
			address = filepath.Join(dir, "s")
		}
		var l net.Listener
		if network == "pipe" {
			c1, c2 = net.Pipe()
		} else {
			if l, err = net.Listen(network, address); err != nil {
				return nil, nil, nil, err
			}
			defer l.Close()
			if c1, err = net.Dial(network, l.Addr().String()); err != nil {
				return nil, nil, nil, err
			}
			if c2, err = l.Accept(); err != nil {
				return nil, nil, nil, err
			}
		}
		if wrap[0] {
			c1 = coalesce.Wrap(c1)
		}
		if wrap[1] {
			c2 = coalesce.Wrap(c2)
		}
		return c1, c2, func() { c1.Close(); c2.Close() }, nil
	}
}

// The suite that every net.Conn has to pass.
func TestNettest(t *testing.T) {
	t.Parallel()
	for _, network := range []string{"tcp", "unix"} {
		for name, wrap := range map[string][2]bool{"both": {true, true}, "near": {true, false}, "far": {false, true}} {
			t.Run(network+"/"+name, func(t *testing.T) {
				t.Parallel() // closing waits for what a peer does not read
				if !nettest.TestableNetwork(network) {
					t.Skip("no network", network)
				}
				nettest.TestConn(t, pair(network, wrap))
			})
		}
	}
}

// The same over a connection that has no kernel behind it.
func TestNettestOverPipe(t *testing.T) {
	t.Parallel()
	nettest.TestConn(t, pair("pipe", [2]bool{true, true}))
}

// upload makes a request whose body comes in 200 small writes. http2.Transport
// reserves a slot of a connection and closes the body when the slot turns out
// to be gone, as it may when other requests were cancelled meanwhile. Then it
// tries again on another connection, and needs GetBody to read a body that is
// open: without it golang.org/x/net v0.43.0 fails, over plain connections too.
func upload(t *testing.T, url string) *http.Request {
	body := func() (io.ReadCloser, error) {
		pr, pw := io.Pipe()
		go func() {
			for j := range 200 {
				fmt.Fprintf(pw, "line %d\n", j)
			}
			pw.Close()
		}()
		return pr, nil
	}
	first, _ := body()
	request, err := http.NewRequest("POST", url, first)
	if err != nil {
		t.Error(err)
	}
	request.GetBody = body
	return request
}

// golang.org/x/net/http2's own client and server over wrapped connections:
// many streams at a time, resets, flow control, trailers, ping, shutdown.
func TestHTTP2(t *testing.T) {
	handler := http.NewServeMux()
	handler.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Trailer", "Sum")
		n, _ := io.Copy(w, r.Body) // full duplex: HTTP/2 allows it
		w.Header().Set("Sum", fmt.Sprint(n))
	})
	handler.HandleFunc("/hang", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	handler.HandleFunc("/large", func(w http.ResponseWriter, r *http.Request) {
		for range 1000 {
			io.WriteString(w, strings.Repeat("z", 1000))
		}
	})
	server := httptest.NewUnstartedServer(h2c.NewHandler(handler, &http2.Server{}))
	server.Listener = coalesce.Listener(server.Listener)
	server.Start()
	defer server.Close()
	transport := &http2.Transport{AllowHTTP: true, ReadIdleTimeout: 100 * time.Millisecond,
		DialTLSContext: func(ctx context.Context, network, address string, _ *tls.Config) (net.Conn, error) {
			return new(coalesce.Dialer).DialContext(ctx, network, address)
		}}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Timeout: time.Minute}

	var all sync.WaitGroup
	for i := range 100 {
		all.Add(1)
		go func() {
			defer all.Done()
			switch i % 4 {
			case 0, 1:
				r, err := client.Do(upload(t, server.URL+"/echo"))
				if err != nil {
					t.Error(err)
					return
				}
				defer r.Body.Close()
				got, err := io.ReadAll(r.Body)
				if err != nil || strings.Count(string(got), "\n") != 200 || r.Trailer.Get("Sum") != fmt.Sprint(len(got)) {
					t.Errorf("echo: %d bytes, %v, trailer %v", len(got), err, r.Trailer)
				}
			case 2:
				ctx, cancel := context.WithTimeout(context.Background(), time.Duration(i)*time.Millisecond)
				defer cancel()
				request, _ := http.NewRequestWithContext(ctx, "GET", server.URL+"/hang", nil)
				if _, err := client.Do(request); err == nil {
					t.Error("a hanging request was answered")
				}
			case 3:
				r, err := client.Get(server.URL + "/large")
				if err != nil {
					t.Error(err)
					return
				}
				defer r.Body.Close()
				n := int64(1_000_000)
				if i%8 == 3 {
					n = 5000 // resets the stream in the middle
				}
				if _, err := io.CopyN(io.Discard, r.Body, n); err != nil {
					t.Errorf("large: %v", err)
				}
			}
		}()
	}
	all.Wait()
}
