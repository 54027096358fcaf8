//go:build !(linux && (amd64 || arm64) && go1.24 && !go1.28 && !msan && !asan)

package running

import (
	"fmt"
	"runtime"
)

func verify() error {
	return fmt.Errorf("the fast path is for linux on amd64 and arm64, Go 1.24 to 1.27, without -msan and -asan; this is %s/%s, %s",
		runtime.GOOS, runtime.GOARCH, runtime.Version())
}
