// Inflight compares calls in flight with plain cgo: one program (folder program)
// is built both ways, without a policy, and the two run in turn, case by case and
// round by round.
//
//	go run ./inflight -raw inflight.txt                       # all, 8 rounds: about 12 minutes
//	go run ./inflight -cases 'stop|crossing' -rounds 12 -raw inflight.txt
//
// A raw line is one measurement of one process; folder table makes the tables:
//
//	inflight way=cgo round=1 case=stop/15us GC-p50-us=212
package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

//go:embed program
var program embed.FS

// Some cases hang where goroutines cannot go on while C waits.
const limit = time.Minute

func main() {
	log.SetFlags(0)
	log.SetPrefix("inflight: ")
	wherry := flag.String("wherry", "../../../bin/wherry", "the wherry `command`")
	pattern := flag.String("cases", "", "measure only cases that match the `expression`")
	count := flag.Int("rounds", 8, "how often each case is measured")
	rawName := flag.String("raw", "", "the `file` for the raw lines")
	flag.Parse()
	matches, err := regexp.Compile(*pattern)
	if err != nil {
		log.Fatalf("-cases: %v", err)
	}
	raw, err := os.Create(*rawName)
	if err == nil {
		err = errors.Join(measure(*wherry, matches, *count, raw), raw.Close())
	}
	if err != nil {
		log.Fatal(err)
	}
}

// ways are the two builds, in the order of the first round.
var ways = []string{"cgo", "wherry"}

// measure builds the program both ways and runs the cases.
func measure(wherry string, matches *regexp.Regexp, rounds int, raw io.Writer) error {
	dir, err := os.MkdirTemp("", "inflight")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if wherry, err = filepath.Abs(wherry); err != nil {
		return err
	}
	if err := build(dir, wherry); err != nil {
		return err
	}
	out, err := exec.Command(filepath.Join(dir, ways[0]), "-list").Output()
	if err != nil {
		return fmt.Errorf("program -list: %w", err)
	}
	for round := range rounds {
		for _, name := range strings.Fields(string(out)) {
			for i := range ways {
				way := ways[(i+round)%2]
				if !matches.MatchString(name) {
					continue
				}
				fmt.Fprintf(os.Stderr, "\rround %d of %d: %-40s", round+1, rounds, name+" "+way)
				if err := run(raw, filepath.Join(dir, way), way, round+1, name); err != nil {
					return err
				}
			}
		}
	}
	fmt.Fprintf(os.Stderr, "\r%80s\r", "")
	return nil
}

// build builds the program in a module of its own, where no policy is.
func build(dir, wherry string) error {
	source, err := fs.Sub(program, "program")
	if err != nil {
		return err
	}
	if err := os.CopyFS(dir, source); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module inflight\n\ngo 1.24\n"), 0o666); err != nil {
		return err
	}
	for way, command := range map[string]string{ways[0]: "go", ways[1]: wherry} {
		cmd := exec.Command(command, "build", "-o", way)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s build: %w\n%s", command, err, out)
		}
	}
	return nil
}

// run measures a case in a process of its own. What does not end is not an error:
// a case of which a build measures nothing is named in the table.
func run(raw io.Writer, binary, way string, round int, name string) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	var stderr strings.Builder
	cmd := exec.CommandContext(ctx, binary, name)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	prefix := fmt.Sprintf("inflight way=%s round=%d case=%s ", way, round, name)
	if ctx.Err() != nil {
		fmt.Fprintf(raw, "%sfailed=1\n", prefix)
		fmt.Fprintf(os.Stderr, "\ninflight: %s: %s does not end within %v\n", name, way, limit)
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %s: %w\n%s", name, way, err, stderr.String())
	}
	for line := range strings.Lines(string(out)) {
		fmt.Fprint(raw, prefix, line)
	}
	return nil
}
