package handle

var (
	locals [maxLocals + 1]local

	// overflow serves every P above maxLocals, under the lock of the shared
	// list. These Ps find the last of locals, which looks empty to take and
	// full to give.
	overflow = local{lists: lists{id: maxLocals + 1}}
)

func init() {
	locals[maxLocals].away.n = batch
}

// takeSlow returns a slot that the caller owns from now on. NewHandle has
// found nothing in l.free.
func takeSlow() *slot {
	l := acquire()
	if l.free.n == 0 && l.full.n != 0 {
		l.free, l.full = l.full, l.free
	}
	s := l.free.pop()
	l.release()
	if s == nil {
		s = takeShared()
	}
	return s
}

// takeShared refills a local. It waits for others that work on the shared
// list, and for the allocation of a chunk when all slots are in use.
func takeShared() *slot {
	shared.mu.Lock()
	shared.reserve()
	l := acquireShared()
	if l.free.n == 0 {
		l.free = shared.refill(l.id)
	}
	s := l.free.pop()
	l.releaseShared()
	shared.mu.Unlock()
	return s
}

// giveSlow returns a slot that the caller owns. Delete has found l.free full,
// or the slot away from home.
func giveSlow(index uint32, s *slot) {
	l := acquire()
	ok := l.keep(index, s)
	l.release()
	if !ok {
		giveShared(index, s)
	}
}

func giveShared(index uint32, s *slot) {
	shared.mu.Lock()
	l := acquireShared()
	if !l.keep(index, s) {
		l.spill()
		l.keep(index, s)
	}
	l.releaseShared()
	shared.mu.Unlock()
}

// keep puts a slot into one of l's lists, unless that list is full.
func (l *local) keep(index uint32, s *slot) bool {
	if !s.claim(index, l.id) {
		return l.away.add(index, s)
	}
	if l.free.n == batch && l.full.n == 0 {
		l.free, l.full = l.full, l.free
	}
	return l.free.add(index, s)
}

// spill makes room in the lists of l that are full. shared.mu is held.
func (l *local) spill() {
	if l.away.n == batch {
		shared.sendHome(l.away)
		l.away = list{}
	}
	if l.free.n == batch && l.full.n == batch {
		shared.store(l.id, l.full)
		l.full = list{}
	}
}
