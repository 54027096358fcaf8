package handle

import (
	"errors"
	"fmt"
	"sync/atomic"
)

// What can be wrong with a handle; [errors.Is] finds them in an [*Error].
var (
	ErrZero        = errors.New("zero")
	ErrNeverIssued = errors.New("never issued")
	ErrDeleted     = errors.New("already deleted")
	ErrType        = errors.New("wrong type")
)

// An Error is what Value and Delete panic with.
type Error struct {
	Handle Handle
	Op     string // "Value" or "Delete"
	Kind   error  // ErrZero, ErrNeverIssued, ErrDeleted or ErrType
	Detail string // got and want, if there is more to say

	// In the debug mode, for a handle that is deleted: who did it.
	Created, Deleted Stack
}

func (e *Error) Error() string {
	s := fmt.Sprintf("handle: %s of %#x: %v", e.Op, uintptr(e.Handle), e.Kind)
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	if e.Kind == ErrDeleted && !debugging {
		s += "; WHERRY_HANDLE_DEBUG=1 shows where it was created and deleted"
	}
	if e.Created != nil {
		s += "\ncreated at\n" + e.Created.String()
	}
	if e.Deleted != nil {
		s += "\ndeleted at\n" + e.Deleted.String()
	}
	return s
}

func (e *Error) Unwrap() error { return e.Kind }

// A SpaceError is what NewHandle panics with when there is no handle left.
// Some free slots may remain with other processors, at most 192 for each.
type SpaceError struct {
	Slots   int // slots there are: room for as many live handles
	Retired int // slots that have given all their handles
}

func (e *SpaceError) Error() string {
	return fmt.Sprintf("handle: out of handles: of %d slots %d are retired and the others in use; "+
		"delete what C no longer has (WHERRY_HANDLE_DEBUG=1 and Live show where it was created)", e.Slots, e.Retired)
}

// misuse explains why h is not live.
func misuse(op string, h Handle) *Error {
	e := &Error{Handle: h, Op: op, Kind: ErrNeverIssued}
	if h == 0 {
		e.Kind = ErrZero
		return e
	}
	s := slotOf(h)
	if s == nil || !tagged(h) {
		return e
	}
	word := Handle(atomic.LoadUintptr(&s.word))
	if word == 0 {
		return e
	}
	next := word // a handle below it is deleted
	if (word^h)&indexMask != 0 {
		next ^= freeBit
	}
	if h >= next {
		return e
	}
	e.Kind = ErrDeleted
	e.Detail = fmt.Sprintf("handle has generation %d, its slot %d", generation(h), generation(next))
	if debugging {
		e.Created, e.Deleted = recorded(h)
	}
	return e
}
