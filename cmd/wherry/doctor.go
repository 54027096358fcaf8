package main

import "errors"

const helpDoctor = ""

func doctor([]string) error { return errors.New("later") }
