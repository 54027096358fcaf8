package check

import "embed"

//go:embed hazards/*.md
var pages embed.FS

// Page is the documentation of a class, as Markdown: what it is, why it is
// unsafe, and which annotation helps.
func (c Class) Page() string {
	text, err := pages.ReadFile("hazards/" + c.String() + ".md")
	if err != nil {
		return ""
	}
	return string(text)
}
