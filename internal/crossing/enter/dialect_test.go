package enter

import (
	"strings"
	"testing"
)

// What has no rule is an error that names the instruction.
func TestUnknownInstruction(t *testing.T) {
	for goarch, line := range map[string]string{"amd64": "\tbswapq %rax", "arm64": "\trev x0, x1"} {
		text, err := goAssembly(goarch, "enter", "stub", []string{"stub:", line, "\t.cfi_endproc"})
		if err == nil || !strings.Contains(err.Error(), strings.TrimSpace(line)) {
			t.Errorf("%s: got %q, %v", goarch, text, err)
		}
	}
}
