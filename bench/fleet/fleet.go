package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"aead.dev/minisign"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"sabine/bench/trial"
)

// A fleet is everything that runs, and what is known of it.
type fleet struct {
	sabine    string // the program
	dir       string // of everything that is written,
	redisDir  string // but for what Redis writes
	bucket    *minio.Client
	endpoint  string   // the part of the store's addresses behind the question mark
	publisher []string // flags of who moves the pointer
	env       []string // with the credentials of the store

	all          []*trial.Process // in the order in which they start
	store, redis *trial.Process
	servers      []*trial.Process
	reference    *trial.Process // of the publisher's folder
	accounts     []string       // keys of the load's
	spenders     []string       // keys of accounts that spend their budgets, each once

	catalogue *trial.Catalogue
	questions []trial.Question
	history   *trial.History
	outages   outages
	tally     *tally
	budgets   []spending
}

// servers is how many servers the fleet has.
const servers = 3

// Names of what lies in the folder of a run.
const (
	bucketName    = "catalogue"
	publishedName = "published" // the folder that is built into
	keysName      = "keys.json"
	signName      = "sign.key"
	secretName    = "ratelimit.secret"
)

// setUp makes the catalogue, starts the store and Redis, and puts the servers together.
func (f *fleet) setUp(ctx context.Context, o *options) (err error) {
	if f.catalogue, err = trial.NewCatalogue(o.products, o.generations); err != nil {
		return err
	}
	f.questions = f.catalogue.Questions()
	if err := f.startStore(ctx, o.s3); err != nil {
		return err
	}
	if err := f.startRedis(ctx); err != nil {
		return err
	}
	private, err := f.writeSecrets()
	if err != nil {
		return err
	}
	if err := errors.Join(f.createKeys(ctx, o), f.uploadKeys(ctx, private)); err != nil {
		return err
	}
	f.reference, err = f.newServer("reference", "--snapshots", f.path(publishedName), "--keys", f.path(keysName),
		"--rate-limit-state", f.path("reference.state"),
		"--account-limit", "1000000000/1m", "--public-limit", "1000000000/1m")
	if err != nil {
		return err
	}
	for i := range servers {
		name := fmt.Sprint("server", i)
		s, err := f.newServer(name, "--snapshots", f.address("acoustics"), "--keys", f.address(keysName), "--cache",
			f.path(name),
			"--poll", poll.String(), "--trust", private.Public().(minisign.PublicKey).String(),
			"--rate-limit-store", "redis://"+f.redis.Address+"/0", "--rate-limit-secret", f.path(secretName),
			"--account-limit", fmt.Sprintf("%d/%v,10000000/24h", budget, window), "--public-limit", "1000000000/1m")
		if err != nil {
			return err
		}
		f.servers = append(f.servers, s)
	}
	return nil
}

func (f *fleet) path(name string) string { return filepath.Join(f.dir, name) }

// startStore starts an S3 server with a bucket in a folder.
func (f *fleet) startStore(ctx context.Context, program string) error {
	address, err := trial.FreeAddress()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(f.path("s3"), bucketName), 0o700); err != nil {
		return err
	}
	id, secret := randomText(), randomText()
	f.env = []string{"AWS_ACCESS_KEY_ID=" + id, "AWS_SECRET_ACCESS_KEY=" + secret}
	f.endpoint = "endpoint=" + url.QueryEscape("http://"+address)
	if f.bucket, err = minio.New(address, &minio.Options{Creds: credentials.NewStaticV4(id, secret, "")}); err != nil {
		return err
	}
	f.store = f.newProcess(store, address, func() error {
		return dial(address)
	}, program, "--quiet", "--port", address, "posix", f.path("s3"))
	f.store.Env = []string{"ROOT_ACCESS_KEY=" + id, "ROOT_SECRET_KEY=" + secret}
	return f.store.Start(ctx)
}

// address is where the store has an object, or the objects of a prefix.
func (f *fleet) address(name string) string {
	return "s3://" + bucketName + "/" + name + "?" + f.endpoint
}

// startRedis starts a Redis that writes down what it counts, so that a kill loses nothing. It writes to
// memory where it can: while builds keep the disk busy a write may take longer than the quarter of a second
// that a request waits for Redis.
func (f *fleet) startRedis(ctx context.Context) error {
	address, err := trial.FreeAddress()
	if err != nil {
		return err
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	if f.redisDir, err = os.MkdirTemp("/dev/shm", "sabine-fleet"); err != nil {
		f.redisDir = f.dir
	}
	f.redis = f.newProcess(redis, address, func() error { return ping(address) }, "redis-server",
		"--bind", "127.0.0.1", "--port", port, "--dir", f.redisDir, "--save", "", "--appendonly", "yes")
	return f.redis.Start(ctx)
}

// newServer returns a sabine that is not started.
func (f *fleet) newServer(name string, flags ...string) (*trial.Process, error) {
	flags = append([]string{"--public-url", "https://fleet.example", "--export-limit", "1000000/24h"}, flags...)
	p, _, err := trial.NewServer(f.sabine, name, f.path(name+".log"), flags...)
	if err != nil {
		return nil, err
	}
	p.Env = f.env
	f.all = append(f.all, p)
	return p, nil
}

func (f *fleet) newProcess(name, address string, ready func() error, command ...string) *trial.Process {
	p := &trial.Process{Name: name, Address: address, Command: command, Log: f.path(name + ".log"), Ready: ready}
	f.all = append(f.all, p)
	return p
}

// run runs the program and returns what it prints.
func (f *fleet) run(ctx context.Context, args ...string) (string, error) {
	return trial.Run(ctx, f.env, append([]string{f.sabine}, args...)...)
}

// stop ends all that runs, the servers before what they need. Whatever has ended by itself is an error.
func (f *fleet) stop(how syscall.Signal) error {
	var faults []error
	for _, p := range slices.Backward(f.all) {
		if p.Started() {
			faults = append(faults, p.End(how))
		}
	}
	if f.redisDir != f.dir {
		faults = append(faults, os.RemoveAll(f.redisDir))
	}
	return errors.Join(faults...)
}
