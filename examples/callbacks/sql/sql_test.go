package sql

import (
	"sync"
	"testing"
)

const million = 1_000_000

// full is a store of a million trips, filled once.
var full = sync.OnceValues(func() (*store, error) { return open(million) })

func trips(t testing.TB) *store {
	t.Helper()
	s, err := full()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFunctions(t *testing.T) {
	s := trips(t)
	if err := s.fares(million + 1); err != nil {
		t.Errorf("fares: %v", err)
	}
	if err := s.titles(million + 1); err != nil {
		t.Errorf("titles: %v", err)
	}
	var boat string
	if err := s.db.QueryRow(`SELECT title(boat) FROM trip WHERE id = 7`).Scan(&boat); err != nil || boat != "Ferry 7" {
		t.Errorf("the title is %q, %v", boat, err)
	}
}

// An error in a callback goes through SQLite's frames to the caller, and the
// connection works on.
func TestErrorInFunction(t *testing.T) {
	s := trips(t)
	var fare int64
	for range 100 {
		if err := s.db.QueryRow(`SELECT fare(1.5, 2)`).Scan(&fare); err == nil || err.Error() != "argument must be an INTEGER" {
			t.Fatalf("got %d and error %v", fare, err)
		}
	}
	if err := s.db.QueryRow(`SELECT fare(1000, 2)`).Scan(&fare); err != nil || fare != 340 {
		t.Errorf("fare(1000, 2) = %d, %v", fare, err)
	}
}

// A function may query its own database's driver, on another connection.
func TestNestedQuery(t *testing.T) {
	s := trips(t)
	inner, err := open(10)
	if err != nil {
		t.Fatal(err)
	}
	defer inner.close()
	lookUp = func(id int64) int64 {
		var people int64
		if err := inner.db.QueryRow(`SELECT fare(0, people) / 120 FROM trip WHERE id = ?`, id).Scan(&people); err != nil {
			t.Error(err)
		}
		return people
	}
	var sum int64
	if err := s.db.QueryRow(`SELECT sum(lookup(id)) FROM trip WHERE id <= 10`).Scan(&sum); err != nil || sum != 55 {
		t.Errorf("the nested queries add up to %d, %v", sum, err)
	}
}

func BenchmarkIntegers(b *testing.B) { measure(b, (*store).fares) }
func BenchmarkText(b *testing.B)     { measure(b, (*store).titles) }

// measure times work; one operation is one row. The work checks its results.
func measure(b *testing.B, work func(*store, int) error) {
	s := trips(b)
	b.ReportAllocs()
	b.ResetTimer()
	if err := work(s, b.N); err != nil {
		b.Fatal(err)
	}
}
