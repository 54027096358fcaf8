// Package coalesce puts small writes to a connection together, so that they
// cross into the kernel, and the network, in fewer and fuller packets. A
// message that comes alone is never delayed.
//
// Go sets TCP_NODELAY on every TCP connection: each Write becomes a packet as
// long as the connection is not congested. A program that writes 50 bytes at a
// time spends its time in system calls, and half of what it sends is headers.
// Nagle's algorithm is no answer, since a request made of two writes then
// waits about 40 ms for a delayed acknowledgement.
//
// # Use
//
//	client := &http.Client{Transport: coalesce.Transport(nil)}   // net/http client
//	http.Serve(coalesce.Listener(l), handler)                    // net/http server
//	c, err := new(coalesce.Dialer).Dial("tcp", address)          // anything else
//
// # When bytes leave
//
// Writes without a long gap between them, and without a Read, are a burst. Its
// first write goes straight out, unless the burst before had several writes;
// then, and from the second write on, bytes are buffered. They leave when
//
//   - the writer pauses: a goroutine that the write made runnable runs;
//   - the program calls Read, since it then waits for an answer;
//   - 16 KB have come together;
//   - Flush, CloseWrite or Close is called.
//
// From the ninth write of a burst on, the first of these waits for an eighth of
// the round-trip time, at most 10 ms, and not at all on links of less than
// 4 ms. A burst of fewer writes than the one before may wait too, on links of
// 10 ms and more, for a thousandth of the round-trip time, at most 100 us. A
// burst ends with a Read, a Flush, or a gap of 1 ms (or of that wait if it is
// longer).
//
// Large writes (8 KB), sendfile, splice and WriteBuffers go past the buffer.
//
// # What it costs
//
// A write that is buffered is a copy and takes about 0.1 us instead of a system
// call's several; one that goes straight out takes about 0.1 us more than
// without this package. A connection that is idle has no goroutine, no running
// timer and no buffer, only a struct of less than 1 KB.
//
// # Errors
//
// Write may return nil before the bytes have left. What goes wrong later is
// returned by the next Write, Flush, CloseWrite or Close, once; bytes that were
// lost are counted in an *UnsentError. A program that wants to know that its
// bytes were taken by the kernel calls Flush, or looks at the error of Close.
//
// # When it does not help
//
// A program that already writes in pieces of 4 KB or more, or through a
// bufio.Writer that it flushes well, gains nothing. Nor does one that sends a
// small message and waits for the answer. A writer that is faster than its link
// gains little: the kernel puts its bytes together while it waits for
// acknowledgements.
//
// # Under and above TLS
//
// Transport, and Listener with ServeTLS, put the Conn under TLS: each small
// write still becomes a TLS record of its own, with 22 bytes of overhead, but
// records share packets. If you control both ends, wrap
// the *tls.Conn instead (coalesce.Wrap(tlsConn)); small writes then share records too. net/http does
// not recognise such a connection as TLS, so HTTP/2 and Request.TLS are gone.
package coalesce
