package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sabine/serve/keys"
)

func createKey(c *cli.Context, s streams) error {
	if strings.TrimSpace(c.String("account")) == "" {
		return usagef("keys create needs --account NAME")
	}
	now := time.Now()
	var expires *time.Time
	if text := c.String("expires"); text != "" {
		t, err := keys.ParseExpiry(text, now)
		if err != nil {
			return usagef("--expires: %w", err)
		}
		expires = &t
	}
	scopes := []string{keys.ScopeRead}
	if c.IsSet("scope") {
		scopes = strings.Split(strings.Join(c.StringSlice("scope"), ","), ",")
	}
	if err := keys.CheckScopes(scopes); err != nil {
		return usagef("--scope: %w", err)
	}
	var secret string
	err := updateKeys(c, s, func(f *keys.File) (err error) {
		secret, err = f.Create(c.String("account"), scopes, expires, now)
		return err
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.out, secret)
	return err
}

func listKeys(c *cli.Context, s streams) error {
	f, err := keys.Read(c.String("keys"))
	if err != nil {
		return err
	}
	used, err := keys.LastUses(c.String("keys"))
	if err != nil {
		fmt.Fprintf(s.err, "sabine: warning: reading the last uses of the keys failed: %v\n", err)
	}
	list := make([]listedKey, 0, len(f.Keys))
	for _, k := range f.Keys {
		listed := listedKey{Key: k}
		if last, ok := used[k.ID]; ok {
			listed.LastUse = &last
		}
		list = append(list, listed)
	}
	file := struct { // keys precedes other fields, so that the first "id" in the output belongs to a key
		Keys     []listedKey    `json:"keys"`
		Accounts []keys.Account `json:"accounts"`
		Store    string         `json:"store,omitempty"`
	}{list, f.Accounts, f.Store}
	accounts := map[string]string{}
	for _, a := range f.Accounts {
		if accounts[a.ID] = plain(a.Name); !a.Active {
			accounts[a.ID] += " (disabled)"
		}
	}
	unused := "never"
	if used == nil { // no server has recorded uses, or the file is unreadable
		unused = "unknown"
	}
	return s.print(c, file, func(t io.Writer) {
		fmt.Fprintln(t, "ID\tACCOUNT\tSTATUS\tSCOPES\tCREATED\tEXPIRES\tLAST USE")
		for _, k := range list {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, accounts[k.Account], k.Status, strings.Join(k.Scopes, ","),
				k.CreatedAt.Format(time.RFC3339), timeOr(k.ExpiresAt, "never"), timeOr(k.LastUse, unused))
		}
	})
}

// A listedKey is a key in the output of keys list --json.
type listedKey struct {
	keys.Key
	LastUse *time.Time `json:"last_use"` // null if the key was never used or the time is unknown
}

// changeKeys returns the action of a command that changes the key or account in its argument. The key file
// must exist: if it is missing, the path is probably incorrect.
func changeKeys(change func(f *keys.File, argument string) error) action {
	return func(c *cli.Context, s streams) error {
		if _, err := keys.Read(c.String("keys")); err != nil {
			return err
		}
		return updateKeys(c, s, func(f *keys.File) error { return change(f, c.Args().First()) })
	}
}

// updateKeys changes a key file. It warns if the file's owner or mode is incorrect. If --store-name is set,
// updateKeys writes the name into the file.
func updateKeys(c *cli.Context, s streams, change func(*keys.File) error) error {
	path := c.String("keys")
	store, err := storeName(c, "")
	if err != nil {
		return err
	}
	err = keys.Update(path, func(f *keys.File) error {
		f.Store = cmp.Or(store, f.Store)
		return change(f)
	})
	if err != nil {
		return err
	}
	for _, warning := range keys.Warnings(path) {
		fmt.Fprintln(s.err, "sabine: warning:", warning)
	}
	return nil
}
