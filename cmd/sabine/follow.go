package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"sabine/indexes/snapshot"
	"sabine/indexes/snapshot/fleet"
	"sabine/serve"
	"sabine/serve/keys"
)

// A following is what a server takes from a store: its generations, its keys, or neither of them.
type following struct {
	folder  snapshot.Folder // that the server serves from
	keyFile string          // that the server reads
	mirror  *fleet.Mirror   // fills the folder; nil when it is the operator's own
	keys    *fleet.Copy     // fills the key file; nil likewise

	mirrorState, keysState func() serve.MirrorState // what the server asks of them; nil likewise
}

// leastPoll keeps a slip of the pen from asking a store without a pause.
const leastPoll = 100 * time.Millisecond

// keyFileName is the name of the key file in the cache.
const keyFileName = "keys.json"

// followed puts together what --snapshots and --keys say: each a path, or the address of a store to follow.
func followed(c *cli.Context, log *slog.Logger) (*following, error) {
	f := &following{folder: snapshot.Folder{Dir: c.String("snapshots")}, keyFile: c.String("keys")}
	snapshots, keyFile := fleet.IsAddress(f.folder.Dir), fleet.IsAddress(f.keyFile)
	if !snapshots && !keyFile {
		return f, followsNothing(c)
	}
	if c.Duration("poll") < leastPoll {
		return nil, usagef("--poll is at least %v, got %v", leastPoll, c.Duration("poll"))
	}
	trust, err := openTrust(c)
	if err != nil {
		return nil, err
	}
	o := fleet.Options{Insecure: c.Bool("insecure")}
	if snapshots {
		if c.Bool("sample") {
			return nil, usagef("--sample fills a folder of its own: expected --snapshots FOLDER, got the address of a store")
		}
		source, err := fleet.OpenSource(f.folder.Dir, o)
		if err != nil {
			return nil, usagef("--snapshots: %w", err)
		}
		f.folder.Dir = c.String("cache")
		if err := fleet.CheckCache(f.folder); err != nil {
			return nil, usagef("--cache: %w", err)
		}
		name, err := storeName(c, fleet.StoreName(source))
		if err != nil {
			return nil, err
		}
		f.mirror = &fleet.Mirror{
			Follower: fleet.Follower{Source: source, Trust: trust, Poll: c.Duration("poll"), Log: log},
			Folder:   f.folder, Name: name,
		}
		f.mirrorState = func() serve.MirrorState { return serve.MirrorState(f.mirror.State()) }
	}
	if keyFile {
		source, name, err := fleet.OpenObject(f.keyFile, o)
		if err != nil {
			return nil, usagef("--keys: %w", err)
		}
		store, err := storeName(c, fleet.StoreName(source))
		if err != nil {
			return nil, err
		}
		check := func(b []byte) error { return checkKeys(name, b, store, trust) }
		f.keyFile = filepath.Join(c.String("cache"), keyFileName)
		f.keys = &fleet.Copy{
			Follower: fleet.Follower{Source: source, Trust: trust, Poll: c.Duration("poll"), Log: log.With("object", name)},
			Name:     name, Path: f.keyFile, Check: check,
		}
		f.keysState = func() serve.MirrorState { return serve.MirrorState(f.keys.State()) }
	}
	return f, nil
}

// followsNothing refuses flags that say how a store is followed where none is. In the environment they may be
// for another server.
func followsNothing(c *cli.Context) error {
	for _, name := range []string{"cache", "poll", "trust", "store-name", "insecure"} {
		if _, inherited := os.LookupEnv(variableOf(name)); c.IsSet(name) && !inherited {
			return usagef("--%s says how a store is followed: expected its address in --snapshots or --keys", name)
		}
	}
	return nil
}

// checkKeys returns an error unless a content is that of a key file and, where somebody is trusted, one for
// the store of that name: it could be signed by the same key for another environment.
func checkKeys(path string, b []byte, store string, trust fleet.Trust) error {
	f, err := keys.Parse(path, b)
	if err != nil || len(trust) == 0 || f.Store == store {
		return err
	}
	if f.Store == "" {
		return fmt.Errorf(
			"the key file does not name a store, expected %s: write it with sabine keys --store-name, and sign it again", store)
	}
	return fmt.Errorf(
		"the key file is for the store %s, but this server's store is %s: "+
			"give the name with --store-name if both are the same", f.Store, store)
}

// firstKeysTimeout is how long a server that has no keys yet waits for them before it serves: keys that come
// later than their first request are taken for unknown ones.
const firstKeysTimeout = 5 * time.Second

// firstKeys looks for the keys of a server that has none.
func (f *following) firstKeys(ctx context.Context) {
	if _, err := os.Stat(f.keyFile); f.keys == nil || err == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, firstKeysTimeout)
	defer cancel()
	_ = f.keys.Once(ctx) // whose state says so
}

// run follows the store until the context ends.
func (f *following) run(ctx context.Context) {
	var running sync.WaitGroup
	if f.mirror != nil {
		running.Go(func() { f.mirror.Run(ctx) })
	}
	if f.keys != nil {
		running.Go(func() { f.keys.Run(ctx) })
	}
	running.Wait()
}
