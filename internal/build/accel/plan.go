package accel

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wherrygo/wherry/internal/crossing"
)

// A plan is what is decided about a package after cgo ran, kept in the
// package's object folder until compile runs.
type plan struct {
	Package  string     `json:"package"` // import path
	Calls    []decision `json:"calls"`
	Warnings []string   `json:"warnings"`
	Mistaken bool       `json:"mistaken"` // see Report
	Exports  bool       `json:"exports"`  // it has functions that C calls
	Exported string     `json:"exported"` // Go functions to add, for callbacks
	Shadowed []string   `json:"shadowed"` // Go's own types whose names the package has given to others

	Callbacks []crossing.Callback `json:"callbacks"` // their other ends

	Counted bool `json:"counted"` // it counts crossings

	// What the C objects are linked with: see linkedObjects.
	Dir     string   `json:"dir"`
	LDFlags []string `json:"ldflags"`
	Syso    []string `json:"syso"`
	Cxx     bool     `json:"cxx"` // by the C++ compiler

	stubs  []crossing.Stub    // once its code has been read
	report *Report            // then, too
	checks map[string]float64 // see pointerChecks
	spare  map[string]int     // see spareNodes
}

// crosses reports whether the package needs what calls and callbacks share.
func (p *plan) crosses() bool { return p.Exports || len(p.stubs) > 0 }

const planName = "wherry_plan.json"

func (p *plan) store(objdir string) error {
	text, err := json.Marshal(p)
	if err == nil {
		err = os.WriteFile(filepath.Join(objdir, planName), text, 0o666)
	}
	if err != nil {
		return fmt.Errorf("accel: %w", err)
	}
	return nil
}

// readPlan returns nil where there is none.
func readPlan(objdir string) (*plan, error) {
	text, err := os.ReadFile(filepath.Join(objdir, planName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	p := new(plan)
	if err == nil {
		err = json.Unmarshal(text, p)
	}
	if err != nil {
		return nil, fmt.Errorf("accel: %w", err)
	}
	return p, nil
}
