// Crossings turns the JSON lines of a stored run of wherry bench into the
// tables of README.md and BENCHMARKS.md, and into README.md's picture.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/wherrygo/wherry/internal/latency"
)

func main() {
	short := flag.Bool("short", false, "only what README.md shows")
	picture := flag.String("picture", "", "write the picture to this file")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: crossings [-short] [-picture FILE] RUN.json")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *short, *picture); err != nil {
		fmt.Fprintln(os.Stderr, "crossings:", err)
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

func read(name string) (rows []*latency.Row, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		var row latency.Row
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, fmt.Errorf("%s:%d: not a line of wherry bench -json: %w", name, n, err)
		}
		rows = append(rows, &row)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: no line", name)
	}
	return rows, nil
}
