package sqlite

import "database/sql"

const (
	create = `CREATE TABLE voyage (
		id       INTEGER PRIMARY KEY,
		boat     INTEGER NOT NULL,
		departed INTEGER NOT NULL,
		arrived  INTEGER,
		distance REAL    NOT NULL,
		load     REAL    NOT NULL,
		paid     BOOLEAN NOT NULL,
		cargo    TEXT    NOT NULL)`
	insertOne = `INSERT INTO voyage VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
	selectOne = `SELECT * FROM voyage WHERE id = ?`
	selectAll = `SELECT * FROM voyage ORDER BY id LIMIT ?`
)

// A voyage is one row: every kind of column that go-sqlite3 binds with a call
// of its own, except blobs.
type voyage struct {
	id, boat, departed int64
	arrived            sql.NullInt64 // null while the boat is still under way
	distance, load     float64
	paid               bool
	cargo              string
}

var cargoes = [...]string{"barley", "Portland stone", "coal for the gasworks", "passengers", "hay"}

// nth is the row with this id. It is computed, so every row that comes back
// from the database can be compared with what it has to be.
func nth(id int64) voyage {
	v := voyage{
		id:       id,
		boat:     id % 40,
		departed: 1_700_000_000 + 60*id,
		distance: float64(id%97) / 4,
		load:     float64(id%31) * 1.5,
		paid:     id%3 != 0,
		cargo:    cargoes[id%int64(len(cargoes))],
	}
	if id%8 != 0 {
		v.arrived = sql.NullInt64{Int64: v.departed + 3600, Valid: true}
	}
	return v
}

// scan reads a row; s is a *sql.Row or *sql.Rows.
func scan(s interface{ Scan(...any) error }) (voyage, error) {
	var v voyage
	err := s.Scan(&v.id, &v.boat, &v.departed, &v.arrived, &v.distance, &v.load, &v.paid, &v.cargo)
	return v, err
}
