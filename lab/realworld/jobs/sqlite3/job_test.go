package main

import (
	"database/sql"
	"testing"

	_ "github.com/mattn/go-sqlite3"
	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
)

const rows = 100_000

// BenchmarkJob moves a cursor over 100,000 rows of four columns.
func BenchmarkJob(b *testing.B) {
	db, err := sql.Open("sqlite3", ":memory:")
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, statement := range []string{
		`CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, price REAL, stock INTEGER)`,
		`WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n WHERE i < 100000)
			INSERT INTO t SELECT i, 'article ' || i, i * 0.5, i % 100 FROM n`,
	} {
		if _, err := db.Exec(statement); err != nil {
			b.Fatal(err)
		}
	}
	for range job.Ops(b) {
		cursor, err := db.Query(`SELECT id, name, price, stock FROM t`)
		if err != nil {
			b.Fatal(err)
		}
		n, ids, stocks, letters, prices := 0, 0, 0, 0, 0.0
		for cursor.Next() {
			var id, stock int
			var name string
			var price float64
			if err := cursor.Scan(&id, &name, &price, &stock); err != nil {
				b.Fatal(err)
			}
			n, ids, stocks, letters, prices = n+1, ids+id, stocks+stock, letters+len(name), prices+price
		}
		if err := cursor.Err(); err != nil {
			b.Fatal(err)
		}
		if n != rows || ids != rows*(rows+1)/2 || stocks != rows/100*4950 || letters != 1288895 || prices != float64(ids)/2 {
			b.Fatalf("got %d rows, ids %d, stocks %d, letters %d, prices %v", n, ids, stocks, letters, prices)
		}
	}
}
