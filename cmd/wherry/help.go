package main

import (
	"embed"
	"fmt"
	"strings"
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

// help prints a page of wherry's, or else the go command's.
func help(args []string) error {
	text := page("wherry")
	if len(args) > 0 {
		text = page(args[0])
	}
	if text == "" && isCommandName(strings.ReplaceAll(args[0], ".", "")) {
		return suggesting(goCommand(append([]string{"help"}, args...)), args[0], append(topics(), goCommands...))
	}
	if text == "" {
		return usageError{fmt.Errorf("no help on %q; wherry help lists the commands", args[0])}
	}
	fmt.Fprint(stdout, text)
	return nil
}

// topics are the names of the pages.
func topics() []string {
	names := []string{"run", "test", "install"}
	files, _ := pages.ReadDir("help") // it is part of this program
	for _, file := range files {
		names = append(names, strings.TrimSuffix(file.Name(), ".txt"))
	}
	return names
}
