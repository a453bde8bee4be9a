package main

import (
	"context"
	"database/sql"
	_ "embed" // for the schema
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	"github.com/mattn/go-sqlite3"    // the driver "sqlite3"; FTS5 needs the build tag sqlite_fts5

	"sabine/bench/step"
	"sabine/indexes/analysis"
)

//go:embed sqlite.sql
var sqliteSchema string

// sqlite is a database in one file, which is opened immutable and mapped.
var sqlite = &dialect{
	schema: sqliteSchema, begin: ";BEGIN", commit: "COMMIT;", analyze: "ANALYZE",
	connect: connectSQLite, insert: insertSQLite,
	sigil: "?", noIndex: "+", and: " AND ", or: " OR ", quote: `"`,
	docs:     "SELECT rowid AS doc FROM terms WHERE terms MATCH %s",
	products: "terms JOIN product p ON p.doc = terms.rowid WHERE terms MATCH %s",
	among:    "IN (SELECT value FROM json_each(%s))",
	each:     "SELECT terms.rowid AS doc, key AS word FROM json_each(%s) CROSS JOIN terms WHERE terms MATCH value",
	list:     asJSON,
	// Names similar to the key share at least three tenths of all their trigrams with it, or contain the key.
	resemblance: "SELECT doc, max(n * 1.0 / (?2 + grams - n)) AS rank FROM " +
		"(SELECT name, count(*) AS n FROM gram WHERE gram IN (SELECT value FROM json_each(?1)) GROUP BY name) " +
		"JOIN name ON number = name JOIN named USING (name) " +
		"WHERE 10 * n >= 3 * (?2 + grams - n) OR length(replace(?3, ' ', '')) >= 3 AND instr(key, ?3) GROUP BY doc",
	resembling: func(key string) []any {
		grams := analysis.Trigrams(nil, key)
		return []any{asJSON(grams), len(grams), key}
	},
	groups: func(from string, wanted func(family) bool) string {
		text := fmt.Sprintf("SELECT %d, 0, count(*), '' FROM %s", isTotal, from)
		for f := range families {
			if wanted(f) {
				text += " UNION ALL " + groupOf(from, f)
			}
		}
		return text
	},
	firstHits: func(d *sqlDB, t *tally, total *statement, tiers []string) {
		d.run(t, total)
		for _, tier := range tiers {
			if t.answer.full() {
				break
			}
			s := &statement{}
			s.add("SELECT %d, 0, 0, p.id FROM "+d.products+" LIMIT %s", isHit, s.arg(tier), s.arg(pageSize))
			d.run(t, s)
		}
	},
}

func asJSON(list any) any {
	text, _ := json.Marshal(list)
	return string(text)
}

// withLn is the SQLite driver with a logarithm function, which this build of SQLite lacks.
const withLn = "sqlite3 with ln"

func init() {
	sql.Register(withLn, &sqlite3.SQLiteDriver{ConnectHook: func(c *sqlite3.SQLiteConn) error {
		return c.RegisterFunc("ln", math.Log, true)
	}})
}

func connectSQLite(dir string, load bool) (*sql.DB, func() error) {
	settings, pragmas := "mode=ro&immutable=1", "PRAGMA mmap_size = 17179869184; PRAGMA temp_store = MEMORY"
	if load {
		settings, pragmas = "_journal_mode=OFF&_synchronous=OFF&_locking_mode=EXCLUSIVE", ""
	}
	db := step.Must(sql.Open(withLn, "file:"+filepath.Join(dir, "products.sqlite")+"?_cache_size=-262144&"+settings))
	step.Must(db.Exec(pragmas)) // the settings apply to every query, since there is only one connection
	return db, func() error { return nil }
}

func insertSQLite(d *sqlDB, table string, rows [][]any) {
	into := strings.Replace(table, "terms", "terms (rowid, term)", 1)
	for _, row := range rows {
		step.Must(d.prepare("INSERT INTO " + into + " VALUES (?" + strings.Repeat(", ?", len(row)-1) + ")").Exec(row...))
	}
}

//go:embed postgres.sql
var postgresSchema string

// postgres is a separate server on a socket. It has one connection.
var postgres = &dialect{
	schema: postgresSchema, vacuum: "VACUUM (ANALYZE)", connect: connectPostgres, insert: copyPostgres,
	sigil: "$", and: " & ", or: " | ", quote: "'",
	docs:     "SELECT doc FROM product WHERE terms @@ CAST(%s AS tsquery)",
	products: "product p WHERE terms @@ CAST(%s AS tsquery)",
	among:    "= ANY (%s)",
	each: "SELECT doc, n - 1 AS word FROM unnest(CAST(%s AS tsquery[])) WITH ORDINALITY q (query, n) " +
		"JOIN product ON terms @@ query",
	list: func(list any) any { return list },
	resemblance: "SELECT doc, max(similarity(key, ?1)) AS rank FROM name JOIN named ON name = number " +
		"WHERE key % ?1 OR length(replace(?1, ' ', '')) >= 3 AND key LIKE '%' || ?1 || '%' GROUP BY doc",
	resembling: func(key string) []any { return []any{key} },
	groups:     groupingSets,
	firstHits: func(d *sqlDB, t *tally, total *statement, tiers []string) {
		total.add(" UNION ALL SELECT %d, 0, 0, first_hits(%s, least(n, %d)) FROM total", isHit, total.arg(tiers), pageSize)
		d.run(t, total)
	},
}

// groupingSets returns a SELECT that counts products p and the family values in one pass.
func groupingSets(from string, wanted func(family) bool) string {
	var grouped []string
	for f := range families {
		if wanted(f) {
			grouped = append(grouped, columns[f])
		}
	}
	if grouped == nil {
		return fmt.Sprintf("SELECT %d, 0, count(*), '' FROM %s", isTotal, from)
	}
	all := strings.Join(grouped, ", ")
	which := fmt.Sprintf("CASE GROUPING(%s)", all)
	for i, column := range grouped { // GROUPING sets the bit of each column that is not grouped
		others := 1<<len(grouped) - 1 - 1<<(len(grouped)-1-i)
		which += fmt.Sprintf(" WHEN %d THEN %d", others, slices.Index(columns[:], column))
	}
	return fmt.Sprintf("SELECT %s ELSE %d END, coalesce(%s, 0), count(*), '' FROM %s GROUP BY GROUPING SETS ((), (%s))",
		which, isTotal, all, from, strings.Join(grouped, "), ("))
}

// copyPostgres copies rows into the first columns of a table. The other columns are generated.
func copyPostgres(d *sqlDB, table string, rows [][]any) {
	if table == "gram" || len(rows) == 0 { // pg_trgm makes its own trigrams
		return
	}
	ctx := context.Background()
	conn := step.Must(d.db.Conn(ctx))
	step.Check(errors.Join(conn.Raw(func(driver any) error {
		c := driver.(*stdlib.Conn).Conn()
		all := step.Must(c.Query(ctx, "SELECT * FROM "+table+" LIMIT 0"))
		all.Close()
		var columns []string
		for _, field := range all.FieldDescriptions()[:len(rows[0])] {
			columns = append(columns, field.Name)
		}
		_, err := c.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromRows(rows))
		return err
	}), conn.Close()), "filling table", table)
}

// postgresSettings are settings for data that fit into memory and need not survive a crash.
var postgresSettings = []string{
	"listen_addresses=", "fsync=off", "synchronous_commit=off", "full_page_writes=off", "wal_level=minimal",
	"max_wal_senders=0",
	"max_wal_size=16GB", "autovacuum=off", "shared_buffers=2GB", "effective_cache_size=8GB", "work_mem=256MB",
	"maintenance_work_mem=512MB", "random_page_cost=1.1", "jit=off",
}

// connectPostgres starts the server for a folder and waits for a connection. load creates the database first.
func connectPostgres(dir string, load bool) (*sql.DB, func() error) {
	dir = step.Must(filepath.Abs(dir))
	if load {
		initdb := postgresCommand("initdb", "--pgdata="+filepath.Join(dir, "data"), "--username=postgres", "--auth=trust",
			"--encoding=UTF8", "--locale=C.UTF-8", "--lc-collate=C", "--no-sync")
		if owner := initdb.SysProcAttr.Credential; owner != nil {
			step.Check(os.Chown(dir, int(owner.Uid), int(owner.Gid)))
		}
		out, err := initdb.CombinedOutput()
		step.Check(err, "initdb", string(out))
	}
	args := []string{"-D", filepath.Join(dir, "data"), "-c", "unix_socket_directories=" + dir}
	for _, setting := range postgresSettings {
		args = append(args, "-c", setting)
	}
	log := step.Must(os.Create(filepath.Join(dir, "log")))
	defer log.Close()
	command := postgresCommand("postgres", args...)
	command.Stderr = log
	command.SysProcAttr.Pdeathsig = syscall.SIGINT // so that no server outlives its worker
	step.Check(command.Start())
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	db := step.Must(sql.Open("pgx", "host="+dir+" user=postgres database=postgres"))
	for db.Ping() != nil {
		select {
		case err := <-ended:
			step.Check(fmt.Errorf("postgres ended as it started: %w; see %s", err, log.Name()))
		case <-time.After(50 * time.Millisecond):
		}
	}
	return db, func() error { // all data are written before stop is called
		return errors.Join(command.Process.Signal(syscall.SIGINT), <-ended)
	}
}

// postgresCommand returns a command for a PostgreSQL program, which Debian does not put into PATH. PostgreSQL
// refuses to run as root, so root uses the user postgres, which Debian's package creates.
func postgresCommand(program string, args ...string) *exec.Cmd {
	path, err := exec.LookPath(program)
	if err != nil {
		found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + program)
		if len(found) == 0 {
			step.Check(exec.ErrNotFound, program, "expected Debian's package postgresql")
		}
		path = found[len(found)-1]
	}
	command := exec.Command(path, args...)
	command.Dir = "/"
	command.SysProcAttr = &syscall.SysProcAttr{}
	if os.Getuid() == 0 {
		u, err := user.Lookup("postgres")
		step.Check(err, "PostgreSQL does not run as root")
		uid, gid := step.Must(strconv.ParseUint(u.Uid, 10, 32)), step.Must(strconv.ParseUint(u.Gid, 10, 32))
		command.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	return command
}
