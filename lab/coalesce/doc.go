// Package coalesce compares, in its benchmarks, ways of writing to a connection: Go's
// default, Nagle's algorithm, TCP_CORK, a bufio.Writer of 4 KB by hand, and package coalesce.
// They need Linux and root, since each work runs between two network namespaces (package
// link): the test binary starts itself in them, as the far end once for each link, and as the near
// end for each measurement.
//
// The units are packets/MB (of data, from TCP_INFO), calls/MB (write calls, from
// /proc/self/io), ms-cpu/MB and so on.
package coalesce
