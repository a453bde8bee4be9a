package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// A postgresServer is a server on a socket in a folder of its own.
type postgresServer struct {
	process *os.Process
	ended   chan error
}

// postgresSettings: nothing has to survive a crash, and everything fits into memory.
var postgresSettings = []string{
	"listen_addresses=", "fsync=off", "synchronous_commit=off", "full_page_writes=off", "wal_level=minimal",
	"max_wal_senders=0",
	"max_wal_size=16GB", "autovacuum=off", "shared_buffers=2GB", "effective_cache_size=8GB", "work_mem=256MB",
	"maintenance_work_mem=512MB", "random_page_cost=1.1", "jit=off",
}

// initPostgres makes an empty cluster in a folder.
func initPostgres(dir string) error {
	initdb, err := postgresCommand("initdb", "--pgdata="+filepath.Join(dir, "data"), "--username=postgres", "--auth=trust",
		"--encoding=UTF8", "--locale=C.UTF-8", "--lc-collate=C", "--no-sync")
	if err != nil {
		return err
	}
	if owner := initdb.SysProcAttr.Credential; owner != nil {
		if err := os.Chown(dir, int(owner.Uid), int(owner.Gid)); err != nil {
			return err
		}
	}
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	return nil
}

// startPostgres starts the server of a folder and waits until it takes a connection.
func startPostgres(dir string) (*postgresServer, *pgx.Conn, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, nil, err
	}
	args := []string{"-D", filepath.Join(dir, "data"), "-c", "unix_socket_directories=" + dir}
	for _, setting := range postgresSettings {
		args = append(args, "-c", setting)
	}
	command, err := postgresCommand("postgres", args...)
	if err != nil {
		return nil, nil, err
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return nil, nil, err
	}
	defer log.Close()
	command.Stderr = log
	command.SysProcAttr.Pdeathsig = syscall.SIGINT // so that none is left behind
	if err := command.Start(); err != nil {
		return nil, nil, err
	}
	s := &postgresServer{command.Process, make(chan error, 1)}
	go func() { s.ended <- command.Wait() }()
	for {
		conn, err := pgx.Connect(context.Background(), "host="+dir+" user=postgres database=postgres")
		if err == nil {
			return s, conn, nil
		}
		select {
		case err := <-s.ended:
			return nil, nil, fmt.Errorf("postgres ended as it started: %w; see %s", err, log.Name())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// stop ends the server, after it has written everything.
func (s *postgresServer) stop() error {
	if err := s.process.Signal(syscall.SIGINT); err != nil {
		return err
	}
	return <-s.ended
}

// postgresCommand makes a command of a program of PostgreSQL, which Debian keeps off the path. PostgreSQL
// refuses to run as root, so it runs as the user postgres then, whom Debian's package makes.
func postgresCommand(program string, args ...string) (*exec.Cmd, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + program)
		if len(found) == 0 {
			return nil, fmt.Errorf("%s: %w; expected Debian's package postgresql", program, exec.ErrNotFound)
		}
		path = found[len(found)-1]
	}
	command := exec.Command(path, args...)
	command.Dir = "/"
	command.SysProcAttr = &syscall.SysProcAttr{}
	if os.Getuid() != 0 {
		return command, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL does not run as root: %w", err)
	}
	uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
	gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
	command.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return command, errors.Join(uidErr, gidErr)
}
