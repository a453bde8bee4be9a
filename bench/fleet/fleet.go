package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"aead.dev/minisign"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
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

	all          []*process // in the order in which they start
	store, redis *process
	servers      []*process
	reference    *process // of the publisher's folder
	accounts     []string // keys of the load's
	spenders     []string // keys of accounts that spend their budgets, each once

	catalogue *catalogue
	questions []question
	history   *history
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
	if f.catalogue, err = newCatalogue(o.products, o.generations); err != nil {
		return err
	}
	f.questions = f.catalogue.questions()
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
		s, err := f.newServer(name, "--snapshots", f.address("acoustics"), "--keys", f.address(keysName), "--cache", f.path(name),
			"--poll", poll.String(), "--trust", private.Public().(minisign.PublicKey).String(),
			"--rate-limit-store", "redis://"+f.redis.address+"/0", "--rate-limit-secret", f.path(secretName),
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
	address, err := freeAddress()
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
	f.store = f.newProcess(store, address, func() error { return dial(address) }, program, "--quiet", "--port", address, "posix", f.path("s3"))
	f.store.env = []string{"ROOT_ACCESS_KEY=" + id, "ROOT_SECRET_KEY=" + secret}
	return f.store.start(ctx)
}

// address is where the store has an object, or the objects of a prefix.
func (f *fleet) address(name string) string {
	return "s3://" + bucketName + "/" + name + "?" + f.endpoint
}

// startRedis starts a Redis that writes down what it counts, so that a kill loses nothing. It writes to memory where it can:
// while builds keep the disk busy a write may take longer than the quarter of a second that a request waits for Redis.
func (f *fleet) startRedis(ctx context.Context) error {
	address, err := freeAddress()
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
	return f.redis.start(ctx)
}

// newServer returns a sabine that is not started.
func (f *fleet) newServer(name string, flags ...string) (*process, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	admin, err := freeAddress()
	if err != nil {
		return nil, err
	}
	command := append([]string{f.sabine, "serve", "--addr", address, "--admin-addr", admin,
		"--public-url", "https://fleet.example", "--public-detail", "--export-limit", "1000000/24h"}, flags...)
	p := f.newProcess(name, address, func() error { return isReady(admin) }, command...)
	p.env = f.env
	return p, nil
}

func (f *fleet) newProcess(name, address string, ready func() error, command ...string) *process {
	p := &process{name: name, address: address, command: command, log: f.path(name + ".log"), ready: ready}
	f.all = append(f.all, p)
	return p
}

// run runs the program and returns what it prints on standard output. It gives way to the servers, which elsewhere do not
// share a machine with a build.
func (f *fleet) run(ctx context.Context, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "nice", append([]string{"-n", "19", f.sabine}, args...)...)
	c.Env = append(os.Environ(), f.env...)
	var said strings.Builder
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("sabine %s: %w: %s", args[0], err, said.String())
	}
	return string(out), nil
}

// stop ends all that runs, the servers before what they need. Whatever has ended by itself is an error.
func (f *fleet) stop(how syscall.Signal) error {
	var faults []error
	for _, p := range slices.Backward(f.all) {
		if p.running != nil {
			faults = append(faults, p.end(how))
		}
	}
	if f.redisDir != f.dir {
		faults = append(faults, os.RemoveAll(f.redisDir))
	}
	return errors.Join(faults...)
}
