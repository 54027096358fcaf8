// Quote shows the JSON of a kept run again: as the text that wherry compare or wherry
// bench printed or, of wherry bench, as README.md's picture and the line below it; BENCHMARKS.md has its tables. Of a
// folder of runs of wherry compare it writes README.md's table of numbers.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/wherrygo/wherry/cmd/wherry/internal/measure"
)

func main() {
	form := flag.String("form", "text", "text, table (in Markdown), where (it was measured), picture, or numbers (of a folder)")
	flag.Parse()
	out := bufio.NewWriter(os.Stdout)
	err := fmt.Errorf("usage: quote [-form FORM] RUN.json")
	if flag.NArg() == 1 {
		err = write(out, flag.Arg(0), *form)
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "quote:", err)
		os.Exit(1)
	}
}

func write(w io.Writer, name, form string) error {
	if form == "numbers" {
		return numbers(w, name)
	}
	kept, err := measure.ReadJSON(name)
	if err != nil {
		return err
	}
	switch form {
	case "text":
		return kept.WriteText(w)
	case "table":
		return table(w, kept)
	case "picture":
		return kept.WritePicture(w, false)
	case "where":
		fmt.Fprintln(w, kept.Where()+".")
		return nil
	}
	return fmt.Errorf("-form %s: want text, table, where, picture or numbers", form)
}
