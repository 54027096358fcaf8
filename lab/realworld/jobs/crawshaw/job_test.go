package main

import (
	"testing"

	"crawshaw.io/sqlite"
	"crawshaw.io/sqlite/sqlitex"
	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
)

const rows = 100_000

// BenchmarkJob moves a cursor over 100,000 rows of four columns.
func BenchmarkJob(b *testing.B) {
	conn, err := sqlite.OpenConn(":memory:", 0)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	if err := sqlitex.ExecScript(conn, `CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, price REAL, stock INTEGER);
		WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n WHERE i < 100000)
			INSERT INTO t SELECT i, 'article ' || i, i * 0.5, i % 100 FROM n;`); err != nil {
		b.Fatal(err)
	}
	cursor := conn.Prep(`SELECT id, name, price, stock FROM t`)
	for range job.Ops(b) {
		n, ids, stocks, letters, prices := 0, 0, 0, 0, 0.0
		for {
			more, err := cursor.Step()
			if err != nil {
				b.Fatal(err)
			}
			if !more {
				break
			}
			n, ids, letters = n+1, ids+cursor.ColumnInt(0), letters+len(cursor.ColumnText(1))
			prices, stocks = prices+cursor.ColumnFloat(2), stocks+cursor.ColumnInt(3)
		}
		if n != rows || ids != rows*(rows+1)/2 || stocks != rows/100*4950 || letters != 1288895 || prices != float64(ids)/2 {
			b.Fatalf("got %d rows, ids %d, stocks %d, letters %d, prices %v", n, ids, stocks, letters, prices)
		}
	}
}
