// Command profile inserts rows into a table of SQLite and reads them, under Go's CPU profiler, for
// docs/profiling.md. It prints what that took, and what the end of the profile took.
package main

import (
	"database/sql"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"time"

	_ "github.com/mattn/go-sqlite3"
)

func main() {
	file := flag.String("o", "cpu.prof", "the profile")
	hertz := flag.Int("hz", 100, "samples a second")
	scans := flag.Int("scans", 5, "how often the rows are read")
	flag.Parse()
	if *hertz != 100 {
		runtime.SetCPUProfileRate(*hertz) // StartCPUProfile says that it cannot set its own then
	}
	if err := profiled(*file, *scans); err != nil {
		fmt.Fprintln(os.Stderr, "profile:", err)
		os.Exit(1)
	}
}

func profiled(file string, scans int) error {
	db, err := sql.Open("sqlite3", ":memory:")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // one database
	to, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(to); err != nil {
		return err
	}
	began := time.Now()
	if err := insert(db, 300_000); err != nil {
		return err
	}
	inserted := time.Now()
	for range scans {
		if err := scan(db); err != nil {
			return err
		}
	}
	scanned := time.Now()
	pprof.StopCPUProfile()
	fmt.Println("insert", inserted.Sub(began), "scan", scanned.Sub(inserted), "stop", time.Since(scanned))
	return to.Close()
}

func insert(db *sql.DB, rows int) error {
	if _, err := db.Exec("create table t (a integer, b text, c real)"); err != nil {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	insert, err := tx.Prepare("insert into t values (?, ?, ?)")
	if err != nil {
		return err
	}
	for i := range rows {
		if _, err := insert.Exec(i, "some text", 1.5); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func scan(db *sql.DB) error {
	rows, err := db.Query("select a, b, c from t")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var a int
		var b string
		var c float64
		if err := rows.Scan(&a, &b, &c); err != nil {
			return err
		}
	}
	return rows.Err()
}
