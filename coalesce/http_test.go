package coalesce

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
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
)

// serve starts a server on a wrapped listener, with HTTP/1, HTTP/1 over TLS or
// HTTP/2, and gives a client whose connections are wrapped.
func serve(t *testing.T, protocol, link string, handler http.Handler) (*http.Client, string, func() Stats) {
	t.Helper()
	s := httptest.NewUnstartedServer(handler)
	s.Listener = Listener(s.Listener)
	s.EnableHTTP2 = protocol == "h2"
	if protocol == "h1" {
		s.Start()
	} else {
		s.StartTLS()
	}
	t.Cleanup(s.Close)
	var mu sync.Mutex
	var conns []*Conn
	base, _ := s.Client().Transport.(*http.Transport)
	base = base.Clone()
	base.ForceAttemptHTTP2 = protocol == "h2"
	transport := Transport(base)
	dial := transport.DialContext
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		plain, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		c := plain.(*Conn)
		if link == "far" { // its round-trip time is unknown
			c.local, c.below = false, socket{}
		}
		mu.Lock()
		conns = append(conns, c)
		mu.Unlock()
		return c, nil
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: time.Minute}, s.URL, func() (sum Stats) {
		mu.Lock()
		defer mu.Unlock()
		for _, c := range conns {
			s := c.Stats()
			sum.WritesIn += s.WritesIn
			sum.WritesOut += s.WritesOut
			sum.Bytes += s.Bytes
		}
		return sum
	}
}

var protocols = map[string]string{"h1": "HTTP/1.1", "h1tls": "HTTP/1.1", "h2": "HTTP/2.0"}

func TestHTTP(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, pattern(0, 300_000), 0o666); err != nil {
		t.Fatal(err)
	}
	handler := http.NewServeMux()
	handler.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Proto", r.Proto)
		w.Header().Set("Trailer", "Sum")
		body, _ := io.ReadAll(r.Body) // HTTP/1 is not full duplex
		n, _ := w.Write(body)
		w.Header().Set("Sum", fmt.Sprint(n))
	})
	handler.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
		for i := range 50 {
			fmt.Fprintf(w, "data: %d\n\n", i)
			w.(http.Flusher).Flush()
		}
	})
	handler.HandleFunc("/file", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, file) })
	handler.HandleFunc("/abort", func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("part"))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	for protocol, proto := range protocols {
		for _, link := range []string{"near", "far"} {
			t.Run(protocol+"/"+link, func(t *testing.T) { testHTTP(t, protocol, proto, link, handler) })
		}
	}
}

func testHTTP(t *testing.T, protocol, proto, link string, handler http.Handler) {
	client, url, stats := serve(t, protocol, link, handler)
	var all sync.WaitGroup
	for i := range 20 {
		all.Add(1)
		go func() {
			defer all.Done()
			body := pattern(i, i*1000)
			r, err := client.Post(url+"/echo", "x", bytes.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			defer r.Body.Close()
			got, err := io.ReadAll(r.Body)
			if err != nil || !bytes.Equal(got, body) || r.Header.Get("Proto") != proto || r.Trailer.Get("Sum") != fmt.Sprint(len(body)) {
				t.Errorf("echo of %d bytes: got %d, %v, %s, trailer %v", len(body), len(got), err, r.Header.Get("Proto"), r.Trailer)
			}
		}()
	}
	all.Wait()

	// Streamed in pieces.
	before := stats()
	pr, pw := io.Pipe()
	go func() {
		for i := range 20000 {
			fmt.Fprintf(pw, `{"n":%d}`+"\n", i)
		}
		pw.Close()
	}()
	r, err := client.Post(url+"/echo", "application/json", pr)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(r.Body)
	r.Body.Close()
	if err != nil || strings.Count(string(got), "\n") != 20000 {
		t.Errorf("streamed: got %d bytes, %v", len(got), err)
	}
	s := stats()
	t.Logf("streamed: %d writes in, %d out", s.WritesIn-before.WritesIn, s.WritesOut-before.WritesOut)
	// What does not linger is put together only if the next write comes before
	// a processor is free, which with one processor it never does.
	in, out := s.WritesIn-before.WritesIn, s.WritesOut-before.WritesOut
	if in < 10000 || out > in || link == "far" && out > in*9/10 {
		t.Errorf("streamed: %d writes became %d", in, out)
	}

	r, err = client.Get(url + "/events")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r.Body); err != nil || strings.Count(string(got), "data:") != 50 {
		t.Errorf("events: got %q, %v", got, err)
	}
	r.Body.Close()

	if r, err = client.Get(url + "/file"); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r.Body); err != nil || !bytes.Equal(got, pattern(0, 300_000)) {
		t.Errorf("file: got %d bytes, %v", len(got), err)
	}
	r.Body.Close()

	if r, err = client.Get(url + "/abort"); err == nil {
		if got, err := io.ReadAll(r.Body); err == nil {
			t.Errorf("an aborted answer of %q looks complete", got)
		}
		r.Body.Close()
	}
}

// An event that a handler flushes arrives though no other follows.
func TestHTTPFlushIsPrompt(t *testing.T) {
	for protocol := range protocols {
		t.Run(protocol, func(t *testing.T) {
			release := make(chan bool)
			client, url, _ := serve(t, protocol, "near", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				for range 30 {
					io.WriteString(w, "tick\n")
					w.(http.Flusher).Flush()
				}
				<-release
			}))
			r, err := client.Get(url)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Body.Close()
			if _, err := io.ReadFull(r.Body, make([]byte, 150)); err != nil {
				t.Error(err)
			}
			close(release)
		})
	}
}

func TestHTTPCancel(t *testing.T) {
	client, url, _ := serve(t, "h1", "near", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	request, _ := http.NewRequestWithContext(ctx, "GET", url, nil)
	if _, err := client.Do(request); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// Transport keeps HTTP/2 where the original had it.
func TestTransportKeepsHTTP2(t *testing.T) {
	for name, test := range map[string]struct {
		transport *http.Transport
		want      bool
	}{
		"nil":      {nil, true},
		"zero":     {&http.Transport{}, true},
		"own dial": {&http.Transport{DialContext: new(net.Dialer).DialContext}, false},
		"own TLS":  {&http.Transport{TLSClientConfig: &tls.Config{}}, false},
	} {
		if got := Transport(test.transport).ForceAttemptHTTP2; got != test.want {
			t.Errorf("%s: ForceAttemptHTTP2 is %v, want %v", name, got, test.want)
		}
		if test.transport != nil && test.transport.ForceAttemptHTTP2 {
			t.Errorf("%s: the original was changed", name)
		}
	}
	dialed := false
	old := &http.Transport{Dial: func(network, address string) (net.Conn, error) { dialed = true; return net.Dial(network, address) }}
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	r, err := (&http.Client{Transport: Transport(old)}).Get(s.URL)
	if err != nil || !dialed {
		t.Errorf("the old Dial was not used: %v", err)
	} else {
		r.Body.Close()
	}
}

// Under TLS and above it, with small writes and half close.
func TestTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(nil)
	s.StartTLS()
	certificate := s.TLS.Certificates[0]
	roots := s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	s.Close()
	for _, place := range []string{"under", "above"} {
		t.Run(place, func(t *testing.T) {
			near, far := connect(t, "tcp")
			server := tls.Server(far, &tls.Config{Certificates: []tls.Certificate{certificate}})
			config := &tls.Config{RootCAs: roots, ServerName: "example.com"}
			var c interface {
				net.Conn
				CloseWrite() error
			}
			if place == "under" {
				c = tls.Client(Wrap(near), config)
			} else {
				c = Wrap(tls.Client(near, config))
			}
			text := strings.Repeat("some words ", 5000)
			go func() {
				for i := 0; i < len(text); i += 10 {
					if _, err := io.WriteString(c, text[i:min(i+10, len(text))]); err != nil {
						t.Error(err)
						return
					}
				}
				if err := c.CloseWrite(); err != nil {
					t.Error(err)
				}
			}()
			got, err := io.ReadAll(server)
			if err != nil || string(got) != text {
				t.Errorf("got %d bytes, %v, want %d", len(got), err, len(text))
			}
			go func() { io.WriteString(server, "answer"); server.Close() }()
			if got, err := io.ReadAll(c); err != nil || string(got) != "answer" {
				t.Errorf("got %q, %v", got, err)
			}
			if err := c.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	}
}
