// Table shows the JSON of a kept run again: as the text that wherry compare or wherry
// bench printed, or, of wherry bench, as README.md's picture and the table below it.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/wherrygo/wherry/cmd/wherry/internal/bench"
	"github.com/wherrygo/wherry/cmd/wherry/internal/latency"
)

func main() {
	form := flag.String("form", "text", "text, short (a table of some rows, in Markdown) or picture")
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
	var compared bench.Result // one object, with packages
	if err := json.Unmarshal(text, &compared); form == "text" && err == nil && compared.Packages != nil {
		return compared.WriteText(w)
	}
	measured, err := latency.Read(name, bytes.NewReader(text))
	if err != nil {
		return err
	}
	switch form {
	case "text":
		return measured.WriteText(w)
	case "picture":
		return measured.WritePicture(w, false)
	case "short":
		fmt.Fprint(w, measured.Where(), ".\n\n| work | how | time | x cgo |\n| --- | --- | ---: | ---: |\n")
		for _, b := range measured.Bars(false) {
			fmt.Fprintf(w, "| %s | %s | %s | %s |\n", b.Work, b.Way, bench.FormatTime(b.Each), bench.Digits(b.Ratio))
		}
		return nil
	}
	return fmt.Errorf("-form %s: want text, short or picture", form)
}
