// Package handle passes Go values through C, as runtime/cgo's Handle does,
// in a seventh of its time and without contention, and it finds every stale
// use.
//
// A program migrates by one import line:
//
//	import cgo "github.com/wherrygo/wherry/handle" // was: "runtime/cgo"
//
// # What is promised
//
// No two calls of [NewHandle] return the same handle, however often its
// memory is used again. Value and Delete of a handle that is zero, was never
// issued, or is deleted panic with an [*Error] that says which; Lookup
// returns false. A goroutine that uses a handle while another deletes it and
// creates more finds the handle's own value or none, never another's.
//
// # User data of C functions
//
// Many C APIs pass a void* to their callbacks. [Handle.Pointer] returns
// a handle in that form, and [FromPointer] converts it back:
//
//	C.subscribe(C.callback(C.goCallback), handle.NewHandle(v).Pointer())
//
//	//export goCallback
//	func goCallback(userdata unsafe.Pointer) {
//		v := handle.FromPointer(userdata).Value()
//		...
//	}
//
// The pointer points to nothing. On 64-bit platforms it is an address that no
// program can have, so the garbage collector passes over it, and C that
// dereferences it faults at once. The example of [FromPointer] runs such a
// library.
//
// # Finding leaks
//
// With the environment variable WHERRY_HANDLE_DEBUG=1, which needs no other
// build, the package records where each handle was created and where the last
// 65,536 deleted ones were deleted. Errors then have both stacks, and [Live]
// and [LeakCheck] say where leaked handles come from. NewHandle and Delete
// then take a microsecond or more, and a lock.
//
// # Limits
//
// A slot has 2^33 handles on 64-bit platforms and is then retired, which
// costs 32 bytes; 2^28 handles can be live. On 32-bit platforms a slot has
// 4,095 handles, a million handles can be live, and a process can create four
// thousand million in its life, as with runtime/cgo; then NewHandle panics.
// There Pointer takes a lock, and uses up address space, a byte for each of
// these handles, in blocks of 64: so that no two handles ever have the same
// pointer.
//
// Memory that the table has taken is used again, but never given back: 32
// bytes (20 on 32-bit platforms) for each handle of the largest number that
// was live at once.
//
// Above Go 1.27, with other compilers than gc, under the race detector, and
// with the build tag wherry_portable the package uses nothing but public API,
// and NewHandle and Delete take an uncontended lock each.
package handle
