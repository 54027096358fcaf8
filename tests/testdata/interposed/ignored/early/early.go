// Package early has signals ignored before C is ready.
package early

import (
	"os"
	"os/signal"
	"syscall"
)

func init() {
	switch os.Getenv("IGNORED") {
	case "one":
		signal.Ignore(syscall.SIGURG)
	case "all":
		signal.Ignore()
	}
}
