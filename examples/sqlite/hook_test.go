package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"testing"

	"github.com/mattn/go-sqlite3"
)

// TestResetRunsHooks has functions call back that hardly ever do: a statement that
// stopped at a row is ended by its reset, which commits, which calls a hook written
// in Go.
func TestResetRunsHooks(t *testing.T) {
	commits := 0
	db := sql.OpenDB(memory{&sqlite3.SQLiteDriver{
		ConnectHook: func(c *sqlite3.SQLiteConn) error {
			c.RegisterCommitHook(func() int { commits++; return 0 })
			return nil
		},
	}})
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`CREATE TABLE t (a)`); err != nil {
		t.Fatal(err)
	}
	stmt, err := db.Prepare(`INSERT INTO t VALUES (?) RETURNING a`)
	if err != nil {
		t.Fatal(err)
	}
	defer stmt.Close()

	// rows.Close resets by sqlite3_reset.
	commits = 0
	rows, err := stmt.Query(1)
	if err != nil {
		t.Fatal(err)
	}
	if !rows.Next() || commits != 0 {
		t.Fatalf("%d commits at the first row (%v), want none yet", commits, rows.Err())
	}
	rows.Close()
	if commits != 1 {
		t.Errorf("%d commits after Close, want 1", commits)
	}

	// Exec leaves its statement at the row, and the next one resets it by
	// _sqlite3_reset_clear before it binds.
	for want := 1; want <= 2; want++ {
		if _, err := stmt.Exec(2); err != nil {
			t.Fatal(err)
		}
		if commits != want {
			t.Errorf("%d commits after Exec, want %d", commits, want)
		}
	}
}

// memory connects a driver, which need not be registered, to a new database.
type memory struct{ driver driver.Driver }

func (m memory) Connect(context.Context) (driver.Conn, error) { return m.driver.Open(":memory:") }
func (m memory) Driver() driver.Driver                        { return m.driver }
