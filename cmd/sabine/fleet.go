package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"sabine/indexes/snapshot"
	"sabine/indexes/snapshot/fleet"
)

// storeName returns the value of --store-name, or defaultName if the flag is not set.
func storeName(c *cli.Context, defaultName string) (string, error) {
	name := c.String("store-name")
	if name == "" {
		return defaultName, nil
	}
	if err := fleet.CheckStoreName(name); err != nil {
		return "", usagef("--store-name: %w", err)
	}
	return name, nil
}

// openStore opens the store in --store with open, which is fleet.OpenStore, or fleet.OpenSource if the
// command only reads. It also returns the store name.
func openStore[S fleet.Source](c *cli.Context, open func(address string, o fleet.Options) (S, error)) (
	store S, name string, err error,
) {
	address := c.String("store")
	if address == "" {
		return store, "", usagef("%s needs --store URL", c.Command.HelpName)
	}
	if store, err = open(address, fleet.Options{Insecure: c.Bool("insecure")}); err != nil {
		return store, "", usagef("--store: %w", err)
	}
	name, err = storeName(c, fleet.StoreName(store))
	return store, name, err
}

func openTrust(c *cli.Context) (fleet.Trust, error) {
	var keys []string
	for _, list := range c.StringSlice("trust") {
		keys = append(keys, strings.Split(list, ",")...)
	}
	trust, err := fleet.ParseTrust(keys)
	if err != nil {
		return nil, usagef("--trust: %w", err)
	}
	return trust, nil
}

// newPublisher returns a publisher configured by --store, --sign and --keep.
func newPublisher(c *cli.Context, s streams) (*fleet.Publisher, error) {
	if c.Int("keep") < 1 {
		return nil, usagef("--keep must be at least 1, got %d", c.Int("keep"))
	}
	store, name, err := openStore(c, fleet.OpenStore)
	if err != nil {
		return nil, err
	}
	p := &fleet.Publisher{Store: store, Name: name, Keep: c.Int("keep")}
	if path := c.String("sign"); path != "" {
		if p.Signer, err = fleet.ReadSigner(path, func() (string, error) { return askPassword(s) }); err != nil {
			return nil, fmt.Errorf("--sign: %w", err)
		}
	}
	return p, nil
}

// askPassword returns the password of an encrypted key.
func askPassword(s streams) (string, error) {
	if password, ok := os.LookupEnv("SABINE_SIGN_PASSWORD"); ok {
		return password, nil
	}
	in, ok := s.in.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return "", errors.New("missing password: set SABINE_SIGN_PASSWORD")
	}
	fmt.Fprint(s.err, "Password for the signing key: ")
	password, err := term.ReadPassword(int(in.Fd()))
	fmt.Fprintln(s.err)
	return string(password), err
}

func publish(c *cli.Context, s streams) error {
	p, err := newPublisher(c, s)
	if err != nil {
		return err
	}
	if _, err := currentPath(c.String("snapshots")); err != nil {
		return err
	}
	bar := newProgress(s.err)
	p.Progress = func(stage string, done, total int64) { bar.report(stage, done, total, "bytes") }
	m, err := p.Publish(c.Context, snapshot.Folder{Dir: c.String("snapshots")})
	bar.end()
	return printMove(c, s, m, err)
}

// rollback makes an earlier generation in a store the current one.
func rollback(c *cli.Context, s streams) error {
	p, err := newPublisher(c, s)
	if err != nil {
		return err
	}
	target := c.Args().First()
	if target != fleet.Previous && !hashStart.MatchString(target) {
		return usagef("expected %s, a hash, or at least the first eight digits of a hash, got %q", fleet.Previous, target)
	}
	m, err := p.Rollback(c.Context, target)
	return printMove(c, s, m, err)
}

// hashStart matches a hash, or a prefix that is long enough to identify a generation.
var hashStart = regexp.MustCompile(`^[0-9a-f]{8,64}$`)

func printMove(c *cli.Context, s streams, m *fleet.Move, err error) error {
	if errors.Is(err, fleet.ErrSigned) {
		return fmt.Errorf("%w: sign with --sign KEYFILE", err)
	}
	if err != nil {
		return err
	}
	switch {
	case m.AlreadyCurrent && m.Uploaded > 0:
		fmt.Fprintln(s.err, "This generation is already current. Its file was missing from the store and was uploaded again.")
	case m.AlreadyCurrent:
		fmt.Fprintln(s.err, "This generation is already current: nothing was changed.")
	}
	if m.RefusedBuild != "" {
		fmt.Fprintf(s.err,
			"note: the newest build was refused and is stored as %s; the current snapshot was published instead\n", m.RefusedBuild)
	}
	if b := m.Previous; b != nil && b.Store != "" && m.Store != "" && b.Store != m.Store {
		fmt.Fprintf(s.err,
			"note: the previous generation was signed for the store %s; followers refuse the new generation until they "+
				"run with --store-name %s\n", plain(b.Store), plain(m.Store))
	}
	if m.NewerFormat > 0 {
		fmt.Fprintf(s.err,
			"note: the store also has generations of format %d, which are unchanged; this program publishes format %d\n",
			m.NewerFormat, m.Format)
	}
	if m.CleanupErr != nil {
		fmt.Fprintf(s.err, "sabine: warning: removing old generations from the store failed: %v\n", m.CleanupErr)
	}
	if m.PatchErr != nil {
		fmt.Fprintf(s.err, "sabine: warning: servers will download the complete file, because no patch could be created: %v\n", m.PatchErr)
	}
	return s.print(c, m, func(t io.Writer) {
		fmt.Fprintf(t, "hash\t%s\nbytes\t%d\nuploaded\t%d\npublished\t%s\nsigned\t%s\n", m.Hash, m.Bytes, m.Uploaded,
			m.Published.Format(time.RFC3339), yesNo[m.Signature != ""])
		if m.Patch > 0 {
			fmt.Fprintf(t, "patch\t%d\n", m.Patch)
		}
		if m.Store != "" {
			fmt.Fprintf(t, "store\t%s\n", plain(m.Store))
		}
		if m.Previous != nil && !m.AlreadyCurrent {
			fmt.Fprintf(t, "before\t%s\n", m.Previous.Hash)
		}
		fmt.Fprintf(t, "removed\t%d\n", len(m.Removed))
	})
}

func listStore(c *cli.Context, s streams) error {
	source, name, err := openStore(c, fleet.OpenSource)
	if err != nil {
		return err
	}
	pointer, _, err := fleet.ReadPointer(c.Context, source, "")
	if errors.Is(err, fleet.ErrNotFound) {
		pointer, err = new(fleet.Pointer), nil
	}
	if err != nil {
		return err
	}
	if len(pointer.Generations) == 0 {
		fmt.Fprintf(s.err, "Nothing has been published to %s yet.\n", source)
	}
	return printStored(c, s, pointer, name)
}

// A storedGeneration is an element of the array that list --json prints.
type storedGeneration struct {
	fleet.Generation
	Current bool `json:"in_force"` // whether it is current for programs that read its format
}

// printStored prints the generations in the named store, beginning with the current one.
func printStored(c *cli.Context, s streams, pointer *fleet.Pointer, name string) error {
	list := make([]storedGeneration, 0, len(pointer.Generations))
	for i := range pointer.Generations {
		g := &pointer.Generations[i]
		current, _ := pointer.Current(g.Format)
		list = append(list, storedGeneration{*g, g == current})
		if err := g.CheckStore(name); err != nil && g == current {
			fmt.Fprintf(s.err, "note: followers refuse generation %s: %v\n", g.Hash, err)
		}
	}
	if _, newest := pointer.Current(snapshot.FormatMajor); newest > 0 {
		fmt.Fprintf(s.err, "note: format %d needs a newer version of sabine; this version reads format %d\n", newest,
			snapshot.FormatMajor)
	}
	return s.print(c, list, func(t io.Writer) {
		for i, g := range list {
			if i == 0 {
				fmt.Fprintln(t, "HASH\tFORMAT\tBYTES\tPUBLISHED\tSIGNED\tCURRENT")
			}
			fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%s\n", g.Hash, g.Format, g.Bytes, g.Published.Format(time.RFC3339),
				yesNo[g.Signature != ""], yesNo[g.Current])
		}
	})
}

func pull(c *cli.Context, s streams) error {
	trust, err := openTrust(c)
	if err != nil {
		return err
	}
	source, name, err := openStore(c, fleet.OpenSource)
	if err != nil {
		return err
	}
	bar := newProgress(s.err)
	m := &fleet.Mirror{
		Follower: fleet.Follower{Source: source, Trust: trust},
		Folder:   snapshot.Folder{Dir: c.String("snapshots")}, Name: name,
	}
	m.Progress = func(done, total int64) { bar.report("download", done, total, "bytes") }
	g, err := m.Once(c.Context)
	bar.end()
	if err != nil {
		return err
	}
	return s.print(c, g, func(t io.Writer) {
		fmt.Fprintf(t, "hash\t%s\nbytes\t%d\npublished\t%s\n", g.Hash, g.Bytes, g.Published.Format(time.RFC3339))
	})
}
