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

// sources contains the local paths or stores from which a server reads its snapshots and its keys.
type sources struct {
	folder  snapshot.Folder // folder of the snapshots, or of their copies: the cache
	keyFile string          // path of the key file, or of its copy in the cache
	mirror  *fleet.Mirror   // downloads snapshots into the folder; nil unless the folder is a copy of a store
	keys    *fleet.Copy     // downloads the key file; nil unless the key file is a copy

	mirrorState, keysState func() serve.MirrorState // return the states of mirror and keys; nil without them
}

// minPoll is the minimum value of --poll. It protects a store from a mistyped duration.
const minPoll = 100 * time.Millisecond

// openSources opens --snapshots and --keys. Each is a path or the address of a store.
func openSources(c *cli.Context, log *slog.Logger) (*sources, error) {
	s := &sources{folder: snapshot.Folder{Dir: c.String("snapshots")}, keyFile: c.String("keys")}
	followsSnapshots, followsKeys := fleet.IsAddress(s.folder.Dir), fleet.IsAddress(s.keyFile)
	if !followsSnapshots && !followsKeys {
		return s, refuseStoreFlags(c)
	}
	if c.Duration("poll") < minPoll {
		return nil, usagef("--poll must be at least %v, got %v", minPoll, c.Duration("poll"))
	}
	trust, err := openTrust(c)
	if err != nil {
		return nil, err
	}
	o := fleet.Options{Insecure: c.Bool("insecure")}
	if followsSnapshots {
		if c.Bool("sample") {
			return nil, usagef("--sample needs a local folder: --snapshots must be a path, got the address of a store")
		}
		source, err := fleet.OpenSource(s.folder.Dir, o)
		if err != nil {
			return nil, usagef("--snapshots: %w", err)
		}
		s.folder.Dir = c.String("cache")
		if err := fleet.CheckCache(s.folder); err != nil {
			return nil, usagef("--cache: %w", err)
		}
		name, err := storeName(c, fleet.StoreName(source))
		if err != nil {
			return nil, err
		}
		s.mirror = &fleet.Mirror{
			Follower: fleet.Follower{Source: source, Trust: trust, Poll: c.Duration("poll"), Log: log},
			Folder:   s.folder, Name: name,
		}
		s.mirrorState = func() serve.MirrorState { return serve.MirrorState(s.mirror.State()) }
	}
	if followsKeys {
		source, name, err := fleet.OpenObject(s.keyFile, o)
		if err != nil {
			return nil, usagef("--keys: %w", err)
		}
		store, err := storeName(c, fleet.StoreName(source))
		if err != nil {
			return nil, err
		}
		s.keyFile = filepath.Join(c.String("cache"), "keys.json")
		s.keys = &fleet.Copy{
			Follower: fleet.Follower{Source: source, Trust: trust, Poll: c.Duration("poll"), Log: log.With("object", name)},
			Name:     name, Path: s.keyFile, Check: func(b []byte) error { return checkKeys(name, b, store, trust) },
		}
		s.keysState = func() serve.MirrorState { return serve.MirrorState(s.keys.State()) }
	}
	return s, nil
}

// refuseStoreFlags returns an error for flags that have no effect without a store. It ignores environment
// variables, which can be for another server on the machine.
func refuseStoreFlags(c *cli.Context) error {
	for _, name := range []string{"cache", "poll", "trust", "store-name", "insecure"} {
		if _, inherited := os.LookupEnv(variableOf(name)); c.IsSet(name) && !inherited {
			return usagef("--%s needs the address of a store in --snapshots or --keys", name)
		}
	}
	return nil
}

// checkKeys verifies that b is a valid key file. With --trust, it also verifies that the file is for the
// named store, because the same signing key may be used for several environments.
func checkKeys(path string, b []byte, store string, trust fleet.Trust) error {
	f, err := keys.Parse(path, b)
	if err != nil || len(trust) == 0 || f.Store == store { // without trust, a file for any store is accepted
		return err
	}
	if f.Store == "" {
		return fmt.Errorf(
			"the key file does not name a store, expected %s: write it with sabine keys --store-name, and sign it again", store)
	}
	return fmt.Errorf(
		"the key file is for the store %s, but this server follows %s: "+
			"set --store-name if both are the same store", f.Store, store)
}

// firstKeysTimeout is how long a server without keys waits for the first download before it starts to serve.
// Without keys, it would refuse valid requests.
const firstKeysTimeout = 5 * time.Second

// fetchFirstKeys downloads the key file if the server does not have one yet.
func (s *sources) fetchFirstKeys(ctx context.Context) {
	if s.keys == nil { // the key file is not a copy
		return
	}
	if _, err := os.Stat(s.keyFile); err == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, firstKeysTimeout)
	defer cancel()
	_ = s.keys.Once(ctx) // keysState reports the error
}

// run follows the stores until the context ends.
func (s *sources) run(ctx context.Context) {
	var running sync.WaitGroup
	if s.mirror != nil {
		running.Go(func() { s.mirror.Run(ctx) })
	}
	if s.keys != nil {
		running.Go(func() { s.keys.Run(ctx) })
	}
	running.Wait()
}
