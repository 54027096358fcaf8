// Draw draws the HTML page of a stored run again, from the output of
// wherry compare -json or of wherry bench -json.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/wherrygo/wherry/cmd/wherry/internal/bench"
	"github.com/wherrygo/wherry/cmd/wherry/internal/latency"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: draw RUN.json >PAGE.html")
		os.Exit(2)
	}
	out := bufio.NewWriter(os.Stdout)
	err := draw(out, os.Args[1])
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "draw:", err)
		os.Exit(1)
	}
}

func draw(w io.Writer, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var compared bench.Result // one object, with packages
	if err := json.Unmarshal(text, &compared); err == nil && compared.Packages != nil {
		return compared.WriteHTML(w)
	}
	measured, err := latency.Read(name, bytes.NewReader(text))
	if err != nil {
		return err
	}
	return measured.WriteHTML(w)
}
