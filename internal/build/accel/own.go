package accel

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/build/includes"
	"github.com/wherrygo/wherry/internal/kept"
)

// What the packages of a build share of wherry's own C is the same in most builds. So its
// objects are kept, by the text, the command and the compiler, and used again as long as the
// C library's headers are the same: nothing is written or run for them.

// An own is the place of an object.
type own struct {
	folder *kept.Folder
	name   string
	again  bool // it is made again
}

// own opens the place of what a command translates. Without one the object is made each time.
func (c *Config) own(t *translation, command []string) (o own) {
	if c.Compiler == "" || !t.shared {
		return own{}
	}
	folder, err := kept.Open(c.GoCache)
	if err != nil || folder == nil {
		return own{}
	}
	folder.NoteDamage(filepath.Join(c.dir, kept.Notes))
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %s %q\n", c.Compiler, strings.ReplaceAll(fmt.Sprintf("%q", command), t.file, "$FILE"), t.source)
	for _, name := range slices.Sorted(maps.Keys(t.beside)) {
		fmt.Fprintf(hash, "%q %q\n", name, t.beside[name])
	}
	fmt.Fprintf(hash, "%q\n", includes.Environment())
	return own{folder, fmt.Sprintf("own-%x", hash.Sum(nil)), c.Again}
}

// take writes the object, if it is kept and its headers are what they were.
func (o own) take(file string) bool {
	if o.again {
		return false
	}
	text, ok := o.folder.Get(o.name)
	head, object, both := bytes.Cut(text, []byte("\n"))
	var headers includes.Set
	return ok && both && json.Unmarshal(head, &headers) == nil && headers.Holds() && os.WriteFile(file, object, 0o666) == nil
}

// keep keeps the object that a command has made.
func (o own) keep(file string, command []string) {
	if o.folder == nil {
		return
	}
	headers, ok := includes.Of(command, filepath.Dir(file)+"/")
	object, err := os.ReadFile(file)
	if !ok || err != nil {
		return
	}
	if head, err := json.Marshal(headers); err == nil {
		o.folder.Put(o.name, slices.Concat(head, []byte("\n"), object))
	}
}
