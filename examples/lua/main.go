// Lua runs a Lua program that calls Go. It opens Lua 5.4 while it runs, so building it
// needs neither the library nor its headers.
package main

import (
	"errors"
	"fmt"
	"log"
	"unsafe"

	"github.com/wherrygo/wherry/callback"
	"github.com/wherrygo/wherry/direct"
)

// A state is a lua_State *.
type state = unsafe.Pointer

const program = "local sum = 0 for i = 1, ... do sum = sum + square(i) end return sum\x00"

func main() {
	lua, err := direct.Open("liblua5.4.so.0")
	if err != nil {
		log.Fatal(err)
	}
	sum, err := run(lua, []byte(program), 1000)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sum)
}

// run runs a Lua program with one argument and returns its result. Its function square is
// written in Go.
func run(lua *direct.Library, program []byte, argument int64) (int64, error) {
	var (
		newState    = direct.MustBind[func() state](lua.MustLookup("luaL_newstate"))
		loadString  = direct.MustBind[func(state, *byte) int32](lua.MustLookup("luaL_loadstring"))
		pushInteger = direct.MustBind[func(state, int64)](lua.MustLookup("lua_pushinteger"))
		pushClosure = direct.MustBind[func(l state, function unsafe.Pointer, values int32)](lua.MustLookup("lua_pushcclosure"))
		setGlobal   = direct.MustBind[func(state, *byte)](lua.MustLookup("lua_setglobal"))
		toInteger   = direct.MustBind[func(l state, index int32, ok *int32) int64](lua.MustLookup("lua_tointegerx"))
		closeState  = direct.MustBind[func(state)](lua.MustLookup("lua_close"))
		// It calls back, which costs least on a C stack.
		call = direct.MustReentrant[func(l state, arguments, results, handler int32, context int64,
			then unsafe.Pointer) int32](lua.MustLookup("lua_pcallk"))
	)
	square, err := callback.New(func(l state) (results int32) {
		n := toInteger(l, 1, nil)
		pushInteger(l, n*n)
		return 1
	})
	if err != nil {
		return 0, err
	}
	defer square.Release()
	l := newState()
	defer closeState(l)
	pushClosure(l, square.Pointer(), 0)
	setGlobal(l, &[]byte("square\x00")[0])
	if loadString(l, &program[0]) != 0 {
		return 0, errors.New("the program does not compile")
	}
	pushInteger(l, argument)
	if call(l, 1, 1, 0, 0, nil) != 0 {
		return 0, errors.New("the program fails")
	}
	var ok int32
	if result := toInteger(l, -1, &ok); ok != 0 {
		return result, nil
	}
	return 0, errors.New("the program's result is no integer")
}
