package measure

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
)

// RivalsModule holds, in its folder rivals, variants by packages of others;
// RivalsFolder is its place in a clone.
const (
	RivalsModule = modulePath + "/lab"
	RivalsFolder = "lab"
)

const modulePath = "github.com/wherrygo/wherry"

// Sources returns the folder of the module that has the scenarios and all they
// import, in the version that this command was built with. It is in the module
// cache if that was where the command came from, and needs no network then.
func Sources() (dir string, err error) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", errors.New("measure: this executable carries no build information")
	}
	for _, m := range info.Deps {
		if m.Path == modulePath && m.Replace == nil && m.Version != "(devel)" {
			return download(m.Path + "@" + m.Version)
		}
	}
	_, file, _, _ := runtime.Caller(0) // in the clone that the command was built in
	dir = filepath.Join(filepath.Dir(file), "../../../..")
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		return "", fmt.Errorf("measure: the clone that this wherry was built in is not there, or it was built with -trimpath: %w; install a "+
			"released version", err)
	}
	return dir, nil
}

// download asks the go command for a module's folder.
func download(module string) (dir string, err error) {
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir = os.TempDir() // no module of the user's, and no file to change
	output, err := cmd.Output()
	var found struct{ Dir, Error string }
	if json.Unmarshal(output, &found) == nil && found.Dir != "" && err == nil {
		return found.Dir, nil
	}
	return "", fmt.Errorf("measure: the sources of %s, which the scenarios are compiled from, are not in the module cache: %s", module,
		found.Error)
}
