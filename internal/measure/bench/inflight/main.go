// Inflight compares calls in flight with plain cgo: one program (folder program)
// is built both ways, without a policy, and the two run in turn, case by case and
// round by round.
//
//	go run ./inflight                       # all, 8 rounds: about 12 minutes
//	go run ./inflight -cases 'stop|crossing' -rounds 12 -raw inflight.txt
//	go run ./inflight -from inflight.txt -json
//
// A raw line is one measurement of one process:
//
//	inflight way=cgo round=1 case=stop/15us GC-p50-us=212
//
// The tables have medians of the rounds. A ratio is the median of the ratios of
// the rounds, in flight to cgo, with its 95 % confidence interval from 6 rounds on.
package main

import (
	"bytes"
	"context"
	"embed"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
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
	rawName := flag.String("raw", "", "write raw lines to the `file` as well")
	from := flag.String("from", "", "measure nothing, read the raw lines of the `file`")
	asJSON := flag.Bool("json", false, "print JSON")
	flag.Parse()
	matches, err := regexp.Compile(*pattern)
	if err != nil {
		log.Fatalf("-cases: %v", err)
	}
	var raw []byte
	if *from != "" {
		if raw, err = os.ReadFile(*from); err != nil {
			log.Fatal(err)
		}
	} else {
		var file io.Writer = io.Discard
		if *rawName != "" {
			f, err := os.Create(*rawName)
			if err != nil {
				log.Fatal(err)
			}
			defer f.Close()
			file = f
		}
		if raw, err = measure(*wherry, matches, *count, file); err != nil {
			log.Fatal(err)
		}
	}
	rows, err := summarize(raw)
	if err != nil {
		log.Fatal(err)
	}
	rows = slices.DeleteFunc(rows, func(r row) bool { return !matches.MatchString(r.Case) })
	if *asJSON {
		err = writeJSON(os.Stdout, rows)
	} else {
		err = writeText(os.Stdout, rows)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// ways are the two builds, in the order of the first round.
var ways = []string{"cgo", "wherry"}

// measure builds the program both ways, runs the cases and returns the raw lines.
func measure(wherry string, matches *regexp.Regexp, rounds int, file io.Writer) ([]byte, error) {
	dir, err := os.MkdirTemp("", "inflight")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if wherry, err = filepath.Abs(wherry); err != nil {
		return nil, err
	}
	if err := build(dir, wherry); err != nil {
		return nil, err
	}
	out, err := exec.Command(filepath.Join(dir, ways[0]), "-list").Output()
	if err != nil {
		return nil, fmt.Errorf("program -list: %w", err)
	}
	cases := slices.DeleteFunc(strings.Fields(string(out)), func(name string) bool { return !matches.MatchString(name) })
	var all bytes.Buffer
	both := io.MultiWriter(&all, file)
	for round := range rounds {
		for _, name := range cases {
			for i := range ways {
				way := ways[(i+round)%2]
				fmt.Fprintf(os.Stderr, "\rround %d of %d: %-40s", round+1, rounds, name+" "+way)
				if err := run(both, filepath.Join(dir, way), way, round+1, name); err != nil {
					return nil, err
				}
			}
		}
	}
	fmt.Fprintf(os.Stderr, "\r%80s\r", "")
	return all.Bytes(), nil
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
