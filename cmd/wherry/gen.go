package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/wherrygo/wherry/internal/crossing/gen"
)

func generate(args []string) error {
	if len(args) != 1 {
		return usageError{errors.New("gen: want one Go file; wherry help gen says what is in it")}
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	name, generated, err := gen.Generate(args[0], text)
	if err != nil {
		return err
	}
	path := filepath.Join(filepath.Dir(args[0]), name)
	if err := os.WriteFile(path, generated, 0o666); err != nil {
		return err
	}
	fmt.Println(path)
	return nil
}
