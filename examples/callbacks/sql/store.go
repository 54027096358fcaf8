// Package sql lets SQL call functions written in Go, by go-sqlite3's RegisterFunc, for
// each of a million rows.
package sql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"strings"

	"github.com/mattn/go-sqlite3"
)

// A store is a database in memory with a table of trips, which SQL computes
// on with functions written in Go.
type store struct {
	db    *sql.DB
	trips int
}

// open makes a store with so many trips.
func open(trips int) (*store, error) {
	db := sql.OpenDB(memory{&sqlite3.SQLiteDriver{ConnectHook: func(c *sqlite3.SQLiteConn) error {
		if err := c.RegisterFunc("fare", fare, true); err != nil {
			return err
		}
		if err := c.RegisterFunc("lookup", func(id int64) int64 { return lookUp(id) }, false); err != nil {
			return err
		}
		return c.RegisterFunc("title", title, true)
	}}})
	// Every connection opens a database of its own.
	db.SetMaxOpenConns(1)
	_, err := db.Exec(`CREATE TABLE trip (id INTEGER PRIMARY KEY, metres INTEGER NOT NULL, people INTEGER NOT NULL, boat TEXT NOT NULL);
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ?)
		INSERT INTO trip SELECT i, i * 7919 % 10007, i % 60, 'ferry ' || (i % 40) FROM n`, trips)
	if err != nil {
		db.Close()
		return nil, err
	}
	return &store{db, trips}, nil
}

func (s *store) close() error { return s.db.Close() }

// fare is the price of a trip, in pence.
func fare(metres, people int64) int64 { return (120 + metres/100*5) * people }

// title writes a boat's name with a capital.
func title(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// lookUp is SQL's function of that name.
var lookUp func(id int64) int64

// fares calls fare for n rows.
func (s *store) fares(n int) error {
	return s.each(n, `SELECT total(fare(metres, people)) FROM (SELECT metres, people FROM trip LIMIT ?)`, func(id int64) int64 {
		return fare(id*7919%10007, id%60)
	})
}

// titles calls title for n rows.
func (s *store) titles(n int) error {
	return s.each(n, `SELECT total(length(title(boat))) FROM (SELECT boat FROM trip LIMIT ?)`, func(id int64) int64 {
		if id%40 < 10 {
			return int64(len("Ferry 1"))
		}
		return int64(len("Ferry 10"))
	})
}

// each sums up over n rows, as often as needed over all trips, and compares
// the sum with Go's.
func (s *store) each(n int, query string, value func(id int64) int64) error {
	for n > 0 {
		rows := min(n, s.trips)
		n -= rows
		var got float64
		if err := s.db.QueryRow(query, rows).Scan(&got); err != nil {
			return err
		}
		want := int64(0)
		for id := int64(1); id <= int64(rows); id++ {
			want += value(id)
		}
		if got != float64(want) {
			return fmt.Errorf("%d rows add up to %.0f, want %d", rows, got, want)
		}
	}
	return nil
}

// memory connects a driver, which need not be registered, to a new database.
type memory struct{ driver driver.Driver }

func (m memory) Connect(context.Context) (driver.Conn, error) { return m.driver.Open(":memory:") }
func (m memory) Driver() driver.Driver                        { return m.driver }
