// Table turns the JSON lines of a stored run of wherry bench into the
// tables of README.md and BENCHMARKS.md, and into README.md's picture.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/wherrygo/wherry/cmd/wherry/internal/latency"
)

func main() {
	short := flag.Bool("short", false, "only what README.md shows")
	picture := flag.String("picture", "", "write the picture to this file")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: table [-short] [-picture FILE] RUN.json")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *short, *picture); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

func run(name string, short bool, picture string) error {
	rows, err := read(name)
	if err != nil {
		return err
	}
	if picture != "" {
		file, err := os.Create(picture)
		if err != nil {
			return err
		}
		if err := errors.Join(latency.WritePicture(file, shown(rows)), file.Close()); err != nil {
			return err
		}
	}
	if short {
		rows = shown(rows)
	}
	out := bufio.NewWriter(os.Stdout)
	markdown(out, rows, short)
	return out.Flush()
}

func read(name string) ([]*latency.Row, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	report, err := latency.Read(name, file)
	if err != nil {
		return nil, err
	}
	return report.Rows, nil
}
