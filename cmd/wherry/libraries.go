package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/build/accel"
	"github.com/wherrygo/wherry/internal/kept"
)

// The build cache knows nothing of shared libraries, whose code was read for the packages.
// So a library that has become another one since then is part of the identity of all later
// builds of the same modules, and the packages are built again.

// seeLibrary finds out which functions of the C library the program does not define. That follows
// from what the linker finds, and wherry's list of them.
func (a *acceleration) seeLibrary(wherry string) error {
	if a.config.Static || a.config.Compiler == "" {
		return a.config.SeeLibrary()
	}
	entry := fmt.Sprintf("unseen-%x", sha256.Sum256(fmt.Appendf(nil, "%q %q %q", a.config.Compiler, a.config.CLibrary, wherry)))
	if text, ok := a.kept.Get(entry); ok && !a.again && json.Unmarshal(text, &a.config.Unseen) == nil {
		return nil
	}
	if err := a.config.SeeLibrary(); err != nil {
		return err
	}
	if text, err := json.Marshal(a.config.Unseen); err == nil {
		a.kept.Put(entry, text)
	}
	return nil
}

// librariesEntry is where the changed libraries of these modules are kept.
func librariesEntry(main []accel.Module) string {
	hash := sha256.New()
	for _, m := range main {
		fmt.Fprintf(hash, "%q\n", m.Dir)
	}
	return "libraries-" + hex.EncodeToString(hash.Sum(nil))[:16]
}

// changedLibraries reads the entry. What cannot be read is found again.
func changedLibraries(folder *kept.Folder, main []accel.Module) (list []accel.Library) {
	if text, ok := folder.Get(librariesEntry(main)); ok && json.Unmarshal(text, &list) != nil {
		return nil
	}
	return list
}

// renew makes the next build one by the libraries that are there now.
func (a *acceleration) renew(changed []accel.Library) error {
	for _, l := range changed {
		a.config.Changed = slices.DeleteFunc(a.config.Changed, func(old accel.Library) bool { return old.Path == l.Path })
		a.config.Changed = append(a.config.Changed, l)
	}
	slices.SortFunc(a.config.Changed, func(x, y accel.Library) int { return cmp.Compare(x.Path, y.Path) })
	if text, err := json.Marshal(a.config.Changed); err == nil {
		a.kept.Put(librariesEntry(a.config.Main), text) // or it is found again
	}
	var names []string
	for _, l := range changed {
		names = append(names, filepath.Base(l.Path))
	}
	fmt.Fprintf(stderr, "wherry: changed since packages were built with it: %s; building these again\n",
		strings.Join(slices.Compact(names), ", "))
	a.renewals++
	return a.configure()
}
