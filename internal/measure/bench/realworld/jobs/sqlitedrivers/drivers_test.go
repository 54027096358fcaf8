// Package drivers compares drivers for SQLite by the cases and sizes of
// cvilsmeier/go-sqlite-bench.
package drivers

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/mattn/go-sqlite3"
	"github.com/wherrygo/wherry/bench/realworld/jobs/job"
	_ "modernc.org/sqlite"
)

// each runs a case with both drivers, and a database file for each.
func each(b *testing.B, name string, run func(b *testing.B, file string, open func(*testing.B, string) *store)) {
	for _, driver := range []struct{ name, label string }{{"sqlite3", "mattn"}, {"sqlite", "modernc"}} {
		b.Run(name+"/"+driver.label, func(b *testing.B) {
			run(b, filepath.Join(b.TempDir(), "bench.db"), func(b *testing.B, file string) *store { return open(b, driver.name, file) })
		})
	}
}

// timed measures a part of a case. It runs once, since it changes the database.
func timed(b *testing.B, work func() error) {
	for range job.Ops(b) {
		if err := work(); err != nil {
			b.Fatal(err)
		}
	}
}

// check looks at what a case left, without measuring.
func check(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// filled makes a file with users, without measuring.
func filled(b *testing.B, file string, open func(*testing.B, string) *store, all []user) *store {
	s := open(b, file)
	s.create(b)
	if err := s.insertUsers(all); err != nil {
		b.Fatal(err)
	}
	return s
}

// wanted reads all users and compares them with what was inserted.
func (s *store) wanted(all []user) error {
	got, err := s.users(len(all))
	if err != nil {
		return err
	}
	if len(got) != len(all) {
		return fmt.Errorf("got %d users, want %d", len(got), len(all))
	}
	for i := range got {
		if got[i] != all[i] {
			return fmt.Errorf("got user %v, want %v", got[i], all[i])
		}
	}
	return nil
}

func BenchmarkSimple(b *testing.B) {
	all := makeUsers(1_000_000, "user%d@example.com")
	each(b, "insert", func(b *testing.B, file string, open func(*testing.B, string) *store) {
		s := open(b, file)
		s.create(b)
		timed(b, func() error { return s.insertUsers(all) })
		check(b, s.wanted(all))
	})
	each(b, "query", func(b *testing.B, file string, open func(*testing.B, string) *store) {
		s := filled(b, file, open, all)
		timed(b, func() error { return s.wanted(all) })
	})
}

func BenchmarkComplex(b *testing.B) {
	all := makeUsers(200, "user%d@example.com")
	insert := func(s *store) error {
		return errors.Join(s.insertUsers(all), s.insertTexts("articles", 200, 100), s.insertTexts("comments", 200*100, 20))
	}
	each(b, "insert", func(b *testing.B, file string, open func(*testing.B, string) *store) {
		s := open(b, file)
		s.create(b)
		timed(b, func() error { return insert(s) })
		check(b, s.join(200*100*20))
	})
	each(b, "query", func(b *testing.B, file string, open func(*testing.B, string) *store) {
		s := open(b, file)
		s.create(b)
		if err := insert(s); err != nil {
			b.Fatal(err)
		}
		timed(b, func() error { return s.join(200 * 100 * 20) })
	})
}

func BenchmarkMany(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		all := makeUsers(n, "user%d@example.com")
		each(b, fmt.Sprint(n), func(b *testing.B, file string, open func(*testing.B, string) *store) {
			s := filled(b, file, open, all)
			timed(b, func() error {
				for range 1000 {
					if err := s.wanted(all); err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
}

func BenchmarkLarge(b *testing.B) {
	for _, size := range []int{50_000, 100_000, 200_000} {
		all := makeUsers(10_000, strings.Repeat("a", size)+"%05d")
		each(b, fmt.Sprint(size), func(b *testing.B, file string, open func(*testing.B, string) *store) {
			s := filled(b, file, open, all)
			timed(b, func() error {
				n := 0
				err := s.each(func(u user) error {
					if n++; u != all[n-1] {
						return fmt.Errorf("user %d came back changed", n)
					}
					return nil
				})
				if err == nil && n != len(all) {
					err = fmt.Errorf("got %d users, want %d", n, len(all))
				}
				return err
			})
			s.close()
			os.Remove(file)
		})
	}
}

func BenchmarkConcurrent(b *testing.B) {
	all := makeUsers(1_000_000, "user%d@example.com")
	for _, goroutines := range []int{2, 4, 8} {
		each(b, fmt.Sprint(goroutines), func(b *testing.B, file string, open func(*testing.B, string) *store) {
			filled(b, file, open, all).close()
			var stores []*store
			for range goroutines {
				stores = append(stores, open(b, file))
			}
			timed(b, func() error {
				ends := make(chan error)
				for _, s := range stores {
					go func() { ends <- s.wanted(all) }()
				}
				var err error
				for range stores {
					err = errors.Join(err, <-ends)
				}
				return err
			})
		})
	}
}
