package check

// A File is one of a program's: the file itself or a library that it needs.
type File struct {
	Path   string
	System bool // of the C library's family
}

// Files returns the program's files, and the names of the libraries that were not
// found.
func (p *Program) Files() (files []File, missing []string) {
	for _, l := range p.images {
		files = append(files, File{l.Path, l.system})
	}
	return files, p.missing
}
