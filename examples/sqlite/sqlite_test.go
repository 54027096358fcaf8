package sqlite

import "testing"

// full is a store that holds one batch of rows.
func full(t testing.TB) *store {
	t.Helper()
	s, err := open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.close() })
	if err := s.refill(batch); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStore(t *testing.T) {
	s := full(t)
	if err := s.find(batch); err != nil {
		t.Errorf("find: %v", err)
	}
	if err := s.scan(batch + 1); err != nil {
		t.Errorf("scan: %v", err)
	}
	if err := s.insert(batch + 1); err != nil {
		t.Errorf("insert: %v", err)
	}
	// The second batch replaced the first by a single row.
	if err := s.find(1); err != nil {
		t.Errorf("find in a table of one row: %v", err)
	}
	if err := s.find(2); err == nil {
		t.Error("found a row that is not there")
	}
}

func BenchmarkInsert(b *testing.B)     { measure(b, (*store).insert) }
func BenchmarkPointQuery(b *testing.B) { measure(b, (*store).find) }
func BenchmarkScan(b *testing.B)       { measure(b, (*store).scan) }

// measure times work; one operation is one row. The work checks its results.
func measure(b *testing.B, work func(*store, int) error) {
	s := full(b)
	b.ReportAllocs()
	b.ResetTimer()
	if err := work(s, b.N); err != nil {
		b.Fatal(err)
	}
}
