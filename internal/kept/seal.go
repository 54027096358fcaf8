package kept

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strconv"
)

// An entry begins with a line: this word, the length of what follows, and the SHA-256 of
// the entry's name and of what follows.
const mark = "wherry-kept-1"

func seal(name string, content []byte) []byte {
	return append(fmt.Appendf(nil, "%s %d %x\n", mark, len(content), sum(name, content)), content...)
}

// unseal returns what was sealed, or what is wrong with it.
func unseal(name string, text []byte) ([]byte, error) {
	head, content, ended := bytes.Cut(text, []byte("\n"))
	words := bytes.Split(head, []byte(" "))
	switch {
	case !ended || len(words) != 3 || string(words[0]) != mark:
		return nil, fmt.Errorf("no first line of wherry's")
	case string(words[1]) != strconv.Itoa(len(content)):
		return nil, fmt.Errorf("%d bytes where its first line says %.20q", len(content), words[1])
	case string(words[2]) != fmt.Sprintf("%x", sum(name, content)):
		return nil, fmt.Errorf("wrong checksum")
	}
	return content, nil
}

func sum(name string, content []byte) []byte {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q\n", name)
	hash.Write(content)
	return hash.Sum(nil)
}
