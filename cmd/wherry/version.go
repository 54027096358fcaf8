package main

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/wherrygo/wherry/internal/build/accel"
)

// own is wherry's own build information.
func own() *debug.BuildInfo {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info
	}
	return &debug.BuildInfo{GoVersion: "unknown Go", Main: debug.Module{Version: "unknown version"}}
}

// version prints wherry's own version, or what executables say of how they were built. Tools read
// the version of Go from the first line of what go version prints, and with a flag all of it.
func version(files []string) error {
	if len(files) > 0 && strings.HasPrefix(files[0], "-") {
		return replacedByGo(append([]string{"version"}, files...))
	}
	if len(files) == 0 {
		err := goCommand([]string{"version"})
		fmt.Fprintf(stdout, "wherry %s, built with %s\n", own().Main.Version, own().GoVersion)
		return err
	}
	var errs []error
	for _, file := range files {
		info, err := buildinfo.ReadFile(file)
		if err != nil {
			errs = append(errs, fmt.Errorf("version: %s: not an executable of Go, or built without module information: %w", file, err))
			continue
		}
		fmt.Fprint(stdout, provenance(file, info))
	}
	return errors.Join(errs...)
}

func provenance(file string, info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	wherry, ok := settings[accel.SettingVersion]
	if !ok {
		return fmt.Sprintf("%s: %s, no C function through wherry\n", file, info.GoVersion)
	}
	kept, names, _ := strings.Cut(settings[accel.SettingCgo], " ")
	text := fmt.Sprintf("%s: %s, wherry %s\n\tpolicy: %s\n\tfast: %s C functions\n\ton cgo: %s", file, info.GoVersion, wherry,
		settings[accel.SettingPolicy], settings[accel.SettingFast], kept)
	if names != "" {
		text += " (" + names + ")"
	}
	return text + "\n"
}
