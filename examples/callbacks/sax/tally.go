package sax

// A tally is what a document adds up to: enough to notice that an event is
// missing, doubled or wrong.
type tally struct {
	elements, ends, attributes int
	names, values, texts       int // bytes
	voyages                    int
}

func (t *tally) start(name []byte) {
	t.elements++
	t.names += len(name)
	if string(name) == "voyage" {
		t.voyages++
	}
}

func (t *tally) attribute(name, value []byte) {
	t.attributes++
	t.names += len(name)
	t.values += len(value)
}

func (t *tally) end(name []byte) {
	t.ends++
	t.names += len(name)
}

func (t *tally) text(part []byte) { t.texts += len(part) }
