package accel

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
)

// compiledFile is beside the configuration: a line for each package outside the standard
// library that was compiled or linked.
const compiledFile = "compiled.json"

// A compiled says what became of a package, also of one that was found in the build cache, by the go command's ID for the action. Without
// a report the package does not use cgo.
type compiled struct {
	Action string  `json:"action"`
	Report *Report `json:"report"`
}

// note adds a line. What is not noted is found in the package's archive.
func (c *Config) note(line *compileCommand, report *Report) {
	if !line.standard {
		c.noteAction(line.action, report)
	}
}

// noteLinked does so of a package that is linked, which somebody else may have compiled.
func (c *Config) noteLinked(archive string, report *Report) {
	action, onlyGo := "", true
	err := membersOf(archive, func(head []byte, content *io.SectionReader) bool {
		switch name, _, _ := bytes.Cut(head, []byte(" ")); string(name) {
		case "__.PKGDEF":
			text := make([]byte, 512)
			n, _ := content.ReadAt(text, 0) // at the end too
			_, id, _ := bytes.Cut(text[:n], []byte("\nbuild id \""))
			id, _, _ = bytes.Cut(id, []byte("\""))
			id, _, _ = bytes.Cut(id, []byte("/"))
			action = string(id)
		case "_go_.o":
		default:
			onlyGo = false
		}
		return true
	})
	if err == nil && (report != nil || onlyGo) { // else it may use cgo in a way that was not understood
		c.noteAction(action, report)
	}
}

func (c *Config) noteAction(action string, report *Report) {
	if action == "" {
		return
	}
	text, err := json.Marshal(compiled{action, report})
	if err != nil {
		return
	}
	file, err := os.OpenFile(filepath.Join(c.dir, compiledFile), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return
	}
	file.Write(append(text, '\n')) // at once: others may be at it
	file.Close()
}

// Compiled returns what has become of the packages that were compiled by the configuration in a
// folder, by the IDs of the actions.
func Compiled(dir string) map[string]*Report {
	found := map[string]*Report{}
	text, _ := os.ReadFile(filepath.Join(dir, compiledFile))
	for decoder := json.NewDecoder(bytes.NewReader(text)); ; {
		var line compiled
		if err := decoder.Decode(&line); err != nil {
			return found
		}
		found[line.Action] = line.Report
	}
}
