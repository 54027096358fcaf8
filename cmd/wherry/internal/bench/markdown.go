package bench

import (
	"fmt"
	"io"
	"strings"
)

// WriteMarkdown writes the tables for BENCHMARKS.md.
func (r *Result) WriteMarkdown(w io.Writer) error {
	var m strings.Builder
	fmt.Fprintf(&m, "%s\n", escapeMarkdown(r.machine()))
	for i := range r.Packages {
		writeMarkdownPackage(&m, &r.Packages[i])
	}
	_, err := io.WriteString(w, m.String())
	return err
}

func writeMarkdownPackage(m *strings.Builder, p *Package) {
	fmt.Fprintf(m, "\n### %s\n\n", escapeMarkdown(p.Package))
	if len(p.Benchmarks) > 0 {
		writeMarkdownTable(m, p)
	}
	for i := range p.Benchmarks {
		if change := p.Benchmarks[i].change(); change != "" {
			fmt.Fprintf(m, "- %s: %s\n", escapeMarkdown(p.Benchmarks[i].label()), change)
		}
	}
	for _, n := range p.NotCompared {
		fmt.Fprintf(m, "- %s is not compared: %s\n", escapeMarkdown(n.Name), escapeMarkdown(n.Reason))
	}
	for _, note := range p.notes() {
		fmt.Fprintf(m, "- %s\n", escapeMarkdown(note))
	}
	if p.Error != "" {
		message, _, _ := strings.Cut(p.Error, "\n") // the rest is output
		fmt.Fprintf(m, "- error: %s\n", escapeMarkdown(message))
	}
	fmt.Fprintf(m, "- C functions: %d accelerated, %d kept on cgo\n", len(p.Accelerated), len(p.Kept))
}

func writeMarkdownTable(m *strings.Builder, p *Package) {
	rule := make([]string, len(columns))
	for i := range columns {
		rule[i] = "---"
		if numeric[i] {
			rule[i] = "---:"
		}
	}
	rows := [][]string{columns, rule}
	for i := range p.Benchmarks {
		row := p.Benchmarks[i].row()
		row[0] = escapeMarkdown(row[0])
		rows = append(rows, row)
	}
	for _, row := range rows {
		fmt.Fprintf(m, "| %s |\n", strings.Join(row, " | "))
	}
	m.WriteString("\n")
}

var markdownEscapes = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "\n", " ")

func escapeMarkdown(s string) string { return markdownEscapes.Replace(s) }
