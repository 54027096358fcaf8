//go:build bound

package main

import "github.com/wherrygo/wherry/direct"

func init() { spin = direct.MustBind[func()](spinAddress()) }
