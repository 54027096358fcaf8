package gotool

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/wherrygo/wherry/internal/kept"
)

// ToolVersions returns what the tools that each build asks for their versions answer, by their
// paths. A tool that is another has another size or time, and one that is not asked here is asked
// by the build. To run the four takes a tenth of a build in which nothing changed.
func (e *Env) ToolVersions(folder *kept.Folder, again bool) map[string]string {
	hash, versions := sha256.New(), map[string]string{}
	fmt.Fprintf(hash, "%q %q\n", e.GOVERSION, e.GOEXPERIMENT) // tools tell of experiments
	for _, tool := range []string{"asm", "cgo", "compile", "link"} {
		path := filepath.Join(e.GOTOOLDIR, tool)
		info, err := os.Stat(path)
		if err != nil {
			return nil
		}
		fmt.Fprintf(hash, "%q %d %d\n", path, info.Size(), info.ModTime().UnixNano())
		versions[path] = ""
	}
	key := fmt.Sprintf("tools-%x", hash.Sum(nil))
	if text, ok := folder.Get(key); ok && !again && json.Unmarshal(text, &versions) == nil {
		return versions
	}
	for path := range versions {
		line, err := exec.Command(path, "-V=full").Output()
		if err != nil {
			return nil
		}
		versions[path] = strings.TrimSpace(string(line))
	}
	if text, err := json.Marshal(versions); err == nil {
		folder.Put(key, text)
	}
	return versions
}
