package accel

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/wherrygo/wherry/internal/kept"
	"github.com/wherrygo/wherry/internal/read"
	"github.com/wherrygo/wherry/internal/regular"
)

// What the machine code of a package shows follows from the code, from that of its libraries, and
// from what wherry knows of functions. Reading a large library takes seconds. So the
// answers are kept, for builds in which only Go code has changed, or a policy that changes no twin.

// answers are what was read.
type answers struct {
	Functions []read.Function `json:"functions"` // the twins, in the order in which they were asked for
	Comparing []string        `json:"comparing"` // functions that compare their stack pointer with an address in memory
}

// answersOf reads a package's twins, or takes what was kept.
func (c *Config) answersOf(linked code, elsewhere, twins []string) (a answers, err error) {
	folder, err := kept.Open(c.GoCache)
	if err != nil {
		folder = nil // it is read each time
	}
	defer folder.Close()
	entry := ""
	if folder != nil {
		folder.NoteDamage(filepath.Join(c.dir, kept.Notes))
		if entry, err = c.answersEntry(linked, elsewhere, twins); err != nil {
			return a, err
		}
		if text, ok := folder.Get(entry); ok && !c.Again && json.Unmarshal(text, &a) == nil && len(a.Functions) == len(twins) {
			return a, nil
		}
	}
	if a.Functions, err = linked.program.Read(twins...); err != nil {
		return a, err
	}
	a.Comparing = linked.program.ComparesStack()
	if text, err := json.Marshal(a); err == nil {
		folder.Put(entry, text)
	}
	return a, nil
}

// answersEntry is where they are kept: by all that they follow from.
func (c *Config) answersEntry(linked code, elsewhere, twins []string) (string, error) {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %v %q %q %q %q %v\n", c.Wherry, c.Unseen, c.beside(), elsewhere, twins, linked.missing(), c.ForHost)
	for i, file := range linked.files() {
		if i > 0 {
			fmt.Fprintf(hash, "%q %q\n", file.Path, identify(file.Path))
			continue
		}
		content, _, err := regular.Opener(os.OpenFile).Open(file.Path)
		if err != nil {
			return "", err
		}
		defer content.Close()
		if _, err := io.Copy(hash, content); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("answers-%x", hash.Sum(nil)), nil
}
