// Lua drives Lua 5.4 through its C API, a chatty one: five calls for an
// addition.
package main

import (
	"fmt"
	"log"
	"time"
	"unsafe"

	"github.com/wherrygo/wherry/direct"
	_ "github.com/wherrygo/wherry/direct/purego"
)

// A state is a lua_State.
type state = unsafe.Pointer

func main() {
	lua, err := direct.Open("liblua5.4.so.0")
	if err != nil {
		log.Fatal(err)
	}
	var (
		newState    = direct.MustBind[func() state](lua.MustLookup("luaL_newstate"))
		loadString  = direct.MustBind[func(state, *byte) int32](lua.MustLookup("luaL_loadstring"))
		pushInteger = direct.MustBind[func(state, int64)](lua.MustLookup("lua_pushinteger"))
		pushValue   = direct.MustBind[func(state, int32)](lua.MustLookup("lua_pushvalue"))
		call        = direct.MustBind[func(l state, args, results, handler int32, context int64,
			k unsafe.Pointer) int32](lua.MustLookup("lua_pcallk"))
		toInteger  = direct.MustBind[func(l state, index int32, ok *int32) int64](lua.MustLookup("lua_tointegerx"))
		setTop     = direct.MustBind[func(state, int32)](lua.MustLookup("lua_settop"))
		closeState = direct.MustBind[func(state)](lua.MustLookup("lua_close"))
	)
	l := newState()
	defer closeState(l)
	program := []byte("local a, b, c = ... return a + b + c + 1\x00")
	if loadString(l, &program[0]) != 0 {
		log.Fatal("the program does not compile")
	}
	const n = 100000
	begin := time.Now()
	total := int64(0)
	for i := range int64(n) {
		pushValue(l, 1)
		pushInteger(l, i)
		pushInteger(l, total)
		pushInteger(l, -1)
		if call(l, 3, 1, 0, 0, nil) != 0 {
			log.Fatal("the program fails")
		}
		total = toInteger(l, -1, nil)
		setTop(l, 1)
	}
	took := time.Since(begin)
	if want := int64(n) * (n - 1) / 2; total != want {
		log.Fatalf("got %d, want %d", total, want)
	}
	fmt.Printf("%d, by %d calls of Lua's API, %.1f ns each\n", total, 7*n, float64(took.Nanoseconds())/(7*n))
}
