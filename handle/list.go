package handle

// A list is a stack of free slots, linked through the slots themselves.
// The slot is about to be written anyway, so the link costs no cache line.
type list struct {
	head, n uint32
}

// batch is how many slots move at once between a local and the shared list.
const batch = 64

// add puts a slot on top, unless l is a full batch.
func (l *list) add(index uint32, s *slot) bool {
	if l.n >= batch {
		return false
	}
	s.next = l.head
	l.head = index
	l.n++
	return true
}

// pop takes the slot from the top, or returns nil.
func (l *list) pop() *slot {
	if l.n == 0 {
		return nil
	}
	s := slotAt(l.head)
	l.head = s.next
	l.n--
	return s
}

// setHome gives the lines of all slots in l another home.
func (l list) setHome(id uint32) {
	for index := l.head; l.n != 0; l.n-- {
		setHome(index, id)
		index = slotAt(index).next
	}
}
