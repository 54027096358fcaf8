package drivers

import (
	"database/sql"
	"fmt"
	"testing"
)

const schema = `CREATE TABLE users (id INTEGER PRIMARY KEY NOT NULL, created INTEGER NOT NULL, email TEXT NOT NULL,
	active INTEGER NOT NULL);
CREATE INDEX users_created ON users(created);
CREATE TABLE articles (id INTEGER PRIMARY KEY NOT NULL, created INTEGER NOT NULL, ownerId INTEGER NOT NULL REFERENCES users(id),
	text TEXT NOT NULL);
CREATE INDEX articles_owner ON articles(ownerId);
CREATE TABLE comments (id INTEGER PRIMARY KEY NOT NULL, created INTEGER NOT NULL, ownerId INTEGER NOT NULL REFERENCES articles(id),
	text TEXT NOT NULL);
CREATE INDEX comments_owner ON comments(ownerId);`

type user struct {
	id, created int
	email       string
	active      bool
}

func makeUsers(n int, email string) (all []user) {
	for i := range n {
		all = append(all, user{i + 1, 1_700_000_000 + i, fmt.Sprintf(email, i+1), i%2 == 0})
	}
	return all
}

// A store is one connection.
type store struct{ db *sql.DB }

func open(b *testing.B, driver, file string) *store {
	db, err := sql.Open(driver, file)
	if err != nil {
		b.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	s := &store{db}
	b.Cleanup(s.close)
	for _, pragma := range []string{"journal_mode=DELETE", "synchronous=FULL", "foreign_keys=1", "busy_timeout=5000"} {
		if _, err := db.Exec("PRAGMA " + pragma); err != nil {
			b.Fatal(err)
		}
	}
	return s
}

func (s *store) close() { s.db.Close() }

func (s *store) create(b *testing.B) {
	if _, err := s.db.Exec(schema); err != nil {
		b.Fatal(err)
	}
}

// insert runs one statement often, in one transaction.
func (s *store) insert(statement string, n int, row func(int) []any) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	prepared, err := tx.Prepare(statement)
	if err != nil {
		return err
	}
	defer prepared.Close()
	for i := range n {
		if _, err := prepared.Exec(row(i)...); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func (s *store) insertUsers(all []user) error {
	return s.insert(`INSERT INTO users (id, created, email, active) VALUES (?, ?, ?, ?)`, len(all), func(i int) []any {
		return []any{all[i].id, all[i].created, all[i].email, all[i].active}
	})
}

// insertTexts inserts so many articles or comments for each owner.
func (s *store) insertTexts(table string, owners, each int) error {
	return s.insert(`INSERT INTO `+table+` (id, created, ownerId, text) VALUES (?, ?, ?, ?)`, owners*each, func(i int) []any {
		return []any{i + 1, 1_700_000_000 + i, i/each + 1, "a text that somebody wrote"}
	})
}

func (s *store) each(f func(user) error) error {
	rows, err := s.db.Query(`SELECT id, created, email, active FROM users ORDER BY id`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var u user
		if err := rows.Scan(&u.id, &u.created, &u.email, &u.active); err != nil {
			return err
		}
		if err := f(u); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (s *store) users(capacity int) ([]user, error) {
	all := make([]user, 0, capacity)
	err := s.each(func(u user) error {
		all = append(all, u)
		return nil
	})
	return all, err
}

// join reads every comment with its article and its user.
func (s *store) join(want int) error {
	rows, err := s.db.Query(`SELECT users.id, users.created, users.email, users.active,
		articles.id, articles.created, articles.ownerId, articles.text,
		comments.id, comments.created, comments.ownerId, comments.text
		FROM users JOIN articles ON articles.ownerId = users.id JOIN comments ON comments.ownerId = articles.id
		ORDER BY users.created, articles.created, comments.created`)
	if err != nil {
		return err
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		var u user
		var article, comment struct {
			id, created, owner int
			text               string
		}
		if err := rows.Scan(&u.id, &u.created, &u.email, &u.active, &article.id, &article.created, &article.owner, &article.text,
			&comment.id, &comment.created, &comment.owner, &comment.text); err != nil {
			return err
		}
		if n++; comment.id != n || comment.owner != article.id || article.owner != u.id {
			return fmt.Errorf("row %d: got comment %v of article %v of user %v", n, comment, article, u)
		}
	}
	if n != want {
		return fmt.Errorf("got %d rows, want %d", n, want)
	}
	return rows.Err()
}
