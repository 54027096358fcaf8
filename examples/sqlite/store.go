// Package sqlite measures go-sqlite3, unchanged and used through database/sql, with a
// database in memory: inserts, queries by primary key, and a scan.
package sqlite

import (
	"database/sql"
	"fmt"

	_ "github.com/mattn/go-sqlite3"
)

// batch is the number of rows per transaction, and so the most that the table holds.
const batch = 10_000

// A store is a database in memory with one table. Its methods do n operations
// and check every result.
type store struct {
	db    *sql.DB
	query *sql.Stmt
}

func open() (*store, error) {
	db, err := sql.Open("sqlite3", ":memory:")
	if err != nil {
		return nil, err
	}
	// Every connection to :memory: opens a database of its own.
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(create); err != nil {
		db.Close()
		return nil, err
	}
	query, err := db.Prepare(selectOne)
	if err != nil {
		db.Close()
		return nil, err
	}
	return &store{db, query}, nil
}

func (s *store) close() error {
	s.query.Close()
	return s.db.Close()
}

// inBatches does n rows, at most a batch at a time.
func inBatches(n int, do func(rows int) error) error {
	for ; n > 0; n -= batch {
		if err := do(min(n, batch)); err != nil {
			return err
		}
	}
	return nil
}

// insert writes n rows, starting with an empty table for every batch.
func (s *store) insert(n int) error { return inBatches(n, s.refill) }

// refill replaces the table's content by the first n rows, in one transaction.
func (s *store) refill(n int) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.Exec(`DELETE FROM voyage`); err != nil {
		return err
	}
	stmt, err := tx.Prepare(insertOne)
	if err != nil {
		return err
	}
	defer stmt.Close()
	for id := int64(1); id <= int64(n); id++ {
		v := nth(id)
		res, err := stmt.Exec(v.id, v.boat, v.departed, v.arrived, v.distance, v.load, v.paid, v.cargo)
		if err != nil {
			return err
		}
		if got, err := res.LastInsertId(); err != nil || got != id {
			return fmt.Errorf("inserted row %d as %d: %v", id, got, err)
		}
	}
	var count int
	if err := tx.QueryRow(`SELECT count(*) FROM voyage`).Scan(&count); err != nil {
		return err
	}
	if count != n {
		return fmt.Errorf("inserted %d rows, found %d", n, count)
	}
	return tx.Commit()
}

// find looks up n rows by their primary key; the table holds one batch.
func (s *store) find(n int) error {
	for i := range n {
		id := int64(i)*7919%batch + 1 // all ids, in a scattered order
		v, err := scan(s.query.QueryRow(id))
		if err != nil {
			return err
		}
		if v != nth(id) {
			return fmt.Errorf("row %d is %+v", id, v)
		}
	}
	return nil
}

// scan reads n rows in order; the table holds one batch.
func (s *store) scan(n int) error { return inBatches(n, s.list) }

// list reads the first n rows by one query.
func (s *store) list(n int) error {
	rows, err := s.db.Query(selectAll, n)
	if err != nil {
		return err
	}
	defer rows.Close()
	var id int64
	for rows.Next() {
		id++
		v, err := scan(rows)
		if err != nil {
			return err
		}
		if v != nth(id) {
			return fmt.Errorf("row %d is %+v", id, v)
		}
	}
	if id != int64(n) {
		return fmt.Errorf("read %d rows, want %d", id, n)
	}
	return rows.Err()
}
