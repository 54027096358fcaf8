package accel

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
)

// compiledFile is beside the configuration: a line for each package outside the standard
// library that was compiled.
const compiledFile = "compiled.json"

// A compiled says what became of a package, by the go command's ID for the action. Without
// a report the package does not use cgo.
type compiled struct {
	Action string  `json:"action"`
	Report *Report `json:"report"`
}

// note adds a line. What is not noted is found in the package's archive.
func (c *Config) note(line *compileCommand, report *Report) {
	if line.action == "" || line.standard {
		return
	}
	text, err := json.Marshal(compiled{line.action, report})
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
