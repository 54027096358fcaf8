// Table turns the JSON of a stored run into the tables of README.md and BENCHMARKS.md,
// README.md's picture and the page that -html writes (of wherry bench), or the text
// that the command printed (of wherry compare).
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/wherrygo/wherry/cmd/wherry/internal/bench"
	"github.com/wherrygo/wherry/cmd/wherry/internal/latency"
)

func main() {
	form := flag.String("form", "whole", "whole or short table, picture or html; text of wherry compare")
	flag.Parse()
	out := bufio.NewWriter(os.Stdout)
	err := fmt.Errorf("usage: table [-form FORM] RUN.json")
	if flag.NArg() == 1 {
		err = write(out, flag.Arg(0), *form)
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

func write(w io.Writer, name, form string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if form == "text" {
		var compared bench.Result
		if err := json.Unmarshal(text, &compared); err != nil || compared.Packages == nil {
			return fmt.Errorf("%s: not what wherry compare -json wrote: %w", name, cmp.Or(err, errors.New("no packages")))
		}
		return compared.WriteText(w)
	}
	measured, err := latency.Read(name, bytes.NewReader(text))
	if err != nil {
		return err
	}
	switch form {
	case "html":
		return measured.WriteHTML(w)
	case "picture":
		return latency.WritePicture(w, shown(measured.Rows))
	case "short":
		short(w, shown(measured.Rows))
	case "whole":
		whole(w, measured.Rows)
	default:
		return fmt.Errorf("-form %s: want whole, short, picture, html or text", form)
	}
	return nil
}
