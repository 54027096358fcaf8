package main

import (
	"database/sql"
	"testing"

	_ "github.com/marcboeker/go-duckdb"
	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
)

const rows = 100_000

// BenchmarkJob groups 100,000 rows, and reads all of them.
func BenchmarkJob(b *testing.B) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TABLE t AS SELECT i AS id, 'article ' || i AS name, i % 10 AS kind FROM range(100000) r(i)`); err != nil {
		b.Fatal(err)
	}
	for range job.Ops(b) {
		var kinds, most int
		if err := db.QueryRow(`SELECT count(*), max(n) FROM (SELECT kind, count(*) AS n FROM t GROUP BY kind)`).Scan(&kinds, &most); err != nil ||
			kinds != 10 || most != rows/10 {
			b.Fatalf("got %d kinds of at most %d, %v", kinds, most, err)
		}
		cursor, err := db.Query(`SELECT id, name FROM t`)
		if err != nil {
			b.Fatal(err)
		}
		n, ids, letters := 0, 0, 0
		for cursor.Next() {
			var id int
			var name string
			if err := cursor.Scan(&id, &name); err != nil {
				b.Fatal(err)
			}
			n, ids, letters = n+1, ids+id, letters+len(name)
		}
		if err := cursor.Err(); err != nil || n != rows || ids != rows*(rows-1)/2 || letters != 1288890 {
			b.Fatalf("got %d rows, ids %d, letters %d, %v", n, ids, letters, err)
		}
	}
}
