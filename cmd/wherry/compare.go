package main

import "errors"

const helpCompare = ""

func compare([]string) error { return errors.New("later") }
