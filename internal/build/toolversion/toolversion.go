// Package toolversion answers for the go command's tools when that asks for their versions, as it
// does before each build. The process that is asked does so while it is initialized, as soon as it
// can read a file, and not when all that wherry knows of builds is there: where nothing has changed, most
// of wherry's processes do nothing else.
//
// A package is initialized before those that come later in the alphabet, as soon as what it imports is,
// so this one imports little.
package toolversion

import (
	"os"
	"strings"
)

// name is that of the file with the answers, beside a build's configuration.
const name = "versions"

// Write leaves the answers for the processes of a build: what tools say, by their paths.
func Write(dir string, answers map[string]string) error {
	var text strings.Builder
	for path, answer := range answers {
		text.WriteString(path + "\t" + answer + "\n")
	}
	return os.WriteFile(dir+"/"+name, []byte(text.String()), 0o666)
}

func init() {
	if line, ok := answer(os.Args); ok {
		os.Stdout.WriteString(line)
		os.Exit(0)
	}
}

// answer is that of wherry toolexec CONFIG TOOL -V=full, if the build knows one for the tool.
func answer(args []string) (line string, ok bool) {
	if len(args) != 5 || args[1] != "toolexec" || args[4] != "-V=full" {
		return "", false
	}
	dir := args[2][:max(0, strings.LastIndexByte(args[2], '/'))]
	text, _ := os.ReadFile(dir + "/" + name)
	for line := range strings.Lines(string(text)) {
		if answer, ok := strings.CutPrefix(line, args[3]+"\t"); ok && answer != "\n" {
			return answer, true
		}
	}
	return "", false
}
