package event

import _ "embed"

// Header is the text of wherry_event.h.
//
//go:embed wherry_event.h
var Header string
