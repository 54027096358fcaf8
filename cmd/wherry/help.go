package main

import (
	"embed"
	"fmt"
)

//go:embed help
var pages embed.FS

// page returns the help on a command, on the policy, or on wherry; "" is unknown.
func page(name string) string {
	switch name {
	case "run", "test", "install":
		name = "build"
	case "help":
		name = "wherry"
	}
	text, err := pages.ReadFile("help/" + name + ".txt")
	if err != nil {
		return ""
	}
	return string(text)
}

func isHelp(word string) bool { return word == "-h" || word == "-help" || word == "--help" }

func help(args []string) error {
	text := page("wherry")
	if len(args) > 0 {
		text = page(args[0])
	}
	if text == "" {
		return usageError{fmt.Errorf("no help on %q; wherry help lists the commands", args[0])}
	}
	fmt.Fprint(stdout, text)
	return nil
}
