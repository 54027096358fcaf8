// Cacheprog is a GOCACHEPROG that keeps the go command's build cache in a folder, and counts in a
// file how often something was there: "hit" and "miss", a line each.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

type request struct {
	ID       int64
	Command  string
	ActionID []byte
	OutputID []byte
	BodySize int64
}

type response struct {
	ID            int64
	Err           string     `json:",omitempty"`
	KnownCommands []string   `json:",omitempty"`
	Miss          bool       `json:",omitempty"`
	OutputID      []byte     `json:",omitempty"`
	Size          int64      `json:",omitempty"`
	Time          *time.Time `json:",omitempty"`
	DiskPath      string     `json:",omitempty"`
}

func main() {
	store := os.Args[1]
	log, err := os.OpenFile(os.Args[2], os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		panic(err)
	}
	in, out := json.NewDecoder(bufio.NewReader(os.Stdin)), json.NewEncoder(os.Stdout)
	out.Encode(response{KnownCommands: []string{"get", "put", "close"}})
	for {
		var q request
		if err := in.Decode(&q); err == io.EOF {
			return
		} else if err != nil {
			panic(err)
		}
		r := response{ID: q.ID}
		entry := filepath.Join(store, "action-"+hex.EncodeToString(q.ActionID))
		switch q.Command {
		case "get":
			text, err := os.ReadFile(entry)
			if err != nil {
				r.Miss = true
				fmt.Fprintln(log, "miss")
				break
			}
			r.OutputID, _ = hex.DecodeString(string(text))
			r.DiskPath = filepath.Join(store, "output-"+string(text))
			if info, err := os.Stat(r.DiskPath); err == nil {
				when := info.ModTime()
				r.Size, r.Time = info.Size(), &when
			}
			fmt.Fprintln(log, "hit")
		case "put":
			var body []byte
			if q.BodySize > 0 {
				var text string
				if err := in.Decode(&text); err != nil {
					panic(err)
				}
				body, _ = io.ReadAll(base64.NewDecoder(base64.StdEncoding, strings.NewReader(text)))
			}
			output := hex.EncodeToString(q.OutputID)
			r.DiskPath = filepath.Join(store, "output-"+output)
			write(r.DiskPath, body)
			write(entry, []byte(output))
		case "close":
			out.Encode(r)
			return
		}
		out.Encode(r)
	}
}

// write writes a file at once, since others may read it.
func write(path string, text []byte) {
	part := fmt.Sprintf("%s.%d", path, os.Getpid())
	if err := os.WriteFile(part, text, 0o666); err != nil {
		panic(err)
	}
	if err := os.Rename(part, path); err != nil {
		panic(err)
	}
}
