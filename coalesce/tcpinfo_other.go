//go:build unix && !(linux && !386)

package coalesce

import "time"

func tcpInfo(uintptr) (rtt time.Duration, segment int, ok bool) { return 0, 0, false }
