package coalesce_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/wherrygo/wherry/coalesce"
)

// A client of net/http: one line. Streamed bodies and HTTP/2 gain.
func ExampleTransport() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		fmt.Fprintf(w, "%d bytes", n)
	}))
	defer server.Close()

	client := &http.Client{Transport: coalesce.Transport(nil)}

	r, err := client.Post(server.URL, "text/plain", strings.NewReader("hello"))
	if err != nil {
		panic(err)
	}
	defer r.Body.Close()
	io.Copy(io.Discard, r.Body)
	fmt.Println(r.Status)
	// Output: 200 OK
}

// A server: wrap its listener.
func ExampleListener() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	server := &http.Server{Handler: http.NotFoundHandler()}
	go server.Serve(coalesce.Listener(l))
	defer server.Close()

	r, err := http.Get("http://" + l.Addr().String())
	if err != nil {
		panic(err)
	}
	r.Body.Close()
	fmt.Println(r.StatusCode)
	// Output: 404
}

// A request made of many small writes becomes one.
func ExampleDialer() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer l.Close()
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		io.CopyN(io.Discard, c, 6)
		io.WriteString(c, "answer")
		c.Close()
	}()

	c, err := new(coalesce.Dialer).Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	for _, part := range []string{"a", "b", "c", "d", "e", "f"} {
		io.WriteString(c, part) // no Flush needed before the Read
	}
	answer, err := io.ReadAll(c)
	fmt.Println(string(answer), err)
	if err := c.Close(); err != nil {
		fmt.Println("bytes were lost:", err)
	}
	// Output: answer <nil>
}

// Where bytes have to be gone before the program goes on, and why they left.
func ExampleConn_Flush() {
	near, far := net.Pipe()
	go io.Copy(io.Discard, far)
	c := coalesce.Wrap(near)
	defer c.Close()
	for range 1000 {
		io.WriteString(c, "fifty bytes")
	}
	if err := c.Flush(); err != nil {
		panic(err)
	}
	s := c.Stats()
	fmt.Println(s.WritesIn, s.Bytes, s.Buffered, s.WritesOut < 500, s.Why[coalesce.First])
	// Output: 1000 11000 0 true 1
}
