package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sabine/serve/keys"
)

// keysFlag names the key file; every keys command has it.
func keysFlag() cli.Flag { return pathFlag(keysOrURLFlag()) }

// keysOrURLFlag is keysFlag for serve.
func keysOrURLFlag() *cli.StringFlag {
	return &cli.StringFlag{Name: "keys", Value: "keys.json", Usage: "the key `FILE`; serve takes its URL too, which it follows"}
}

func keysCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:        "keys",
		Usage:       "manage API keys",
		Description: "Example:\n   sabine keys create --account \"Planning tool\" --expires 2027-12-31",
		Action:      needSubcommand,
		Subcommands: []*cli.Command{
			{
				Name:        "create",
				Usage:       "make a key and print it, this once",
				UsageText:   "sabine keys create --account NAME [--expires DATE] [--scope S] [--store-name NAME] [--keys FILE]",
				Description: "Example:\n   KEY=$(sabine keys create --account \"Planning tool\")",
				Flags: []cli.Flag{
					keysFlag(),
					&cli.StringFlag{Name: "account", Usage: "`NAME` of the account that owns the key; it is made when there is none"},
					&cli.StringFlag{Name: "expires", Usage: "a `DATE`, to its end in UTC, or an RFC 3339 date-time"},
					storeNameFlag(),
					newListFlag("scope", "`SCOPES` that the key is good for, with commas between; "+keys.ScopeRead+" is the only one", keys.ScopeRead),
				},
				Action: func(c *cli.Context) error { return createKey(c, s) },
			},
			{
				Name:        "list",
				Usage:       "list the keys, without their secrets",
				UsageText:   "sabine keys list [--keys FILE] [--json]",
				Description: "Example:\n   sabine keys list --json",
				Flags:       []cli.Flag{keysFlag(), jsonFlag()},
				Action:      func(c *cli.Context) error { return listKeys(c, s) },
			},
			statusCommand(s, "pause", "refuse a key until it is resumed", keys.Paused),
			statusCommand(s, "resume", "accept a paused key again", keys.Active),
			statusCommand(s, "revoke", "refuse a key for ever", keys.Revoked),
			{
				Name:        "account",
				Usage:       "disable or enable an account with all its keys",
				Description: "Example:\n   sabine keys account disable \"Planning tool\"",
				Action:      needSubcommand,
				Subcommands: []*cli.Command{
					accountCommand(s, "disable", "refuse all keys of an account", false),
					accountCommand(s, "enable", "accept the keys of an account again", true),
				},
			},
		},
	}
}

// needSubcommand is the action of a command that does nothing by itself.
func needSubcommand(c *cli.Context) error {
	var names []string
	for _, sub := range c.Command.Subcommands {
		names = append(names, sub.Name)
	}
	return usagef("%s needs one of %s", c.Command.HelpName, strings.Join(names, ", "))
}

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
	scopes := strings.Split(strings.Join(c.StringSlice("scope"), ","), ",")
	if err := keys.CheckScopes(scopes); err != nil {
		return usagef("--scope: %w", err)
	}
	var secret string
	err := updateKeys(c, s, func(f *keys.File) (err error) {
		secret, _, err = f.Create(c.String("account"), scopes, expires, now)
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
		fmt.Fprintf(s.err, "sabine: when the keys were last used is not known: %v\n", err)
	}
	if c.Bool("json") {
		return printJSON(s.out, listing(f, used))
	}
	accounts := map[string]keys.Account{}
	for _, a := range f.Accounts {
		accounts[a.ID] = a
	}
	t := s.table()
	fmt.Fprintln(t, "ID\tACCOUNT\tSTATUS\tSCOPES\tCREATED\tEXPIRES\tLAST USE")
	for _, k := range f.Keys {
		a := accounts[k.Account]
		name, expires := plain(a.Name), "never"
		if !a.Active {
			name += " (disabled)"
		}
		if k.ExpiresAt != nil {
			expires = k.ExpiresAt.Format(time.RFC3339)
		}
		lastUse := "unknown"
		if last, ok := used[k.ID]; ok {
			lastUse = last.Format(time.RFC3339)
		} else if used != nil {
			lastUse = "never"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
			k.ID, name, k.Status, strings.Join(k.Scopes, ","), k.CreatedAt.Format(time.RFC3339), expires, lastUse)
	}
	return t.Flush()
}

// A listedKey is a key as keys list --json prints it.
type listedKey struct {
	keys.Key
	LastUse *time.Time `json:"last_use"` // null: never, or not known
}

// listing is the key file with the last use of each key.
func listing(f *keys.File, used map[string]time.Time) any {
	list := make([]listedKey, 0, len(f.Keys))
	for _, k := range f.Keys {
		listed := listedKey{Key: k}
		if last, ok := used[k.ID]; ok {
			listed.LastUse = &last
		}
		list = append(list, listed)
	}
	return struct { // keys first, so that the first id is that of a key
		Keys     []listedKey    `json:"keys"`
		Accounts []keys.Account `json:"accounts"`
		Store    string         `json:"store,omitempty"`
	}{list, f.Accounts, f.Store}
}

func statusCommand(s streams, name, usage string, status keys.Status) *cli.Command {
	return changeCommand(s, &cli.Command{
		Name: name, Usage: usage, ArgsUsage: "one key's ID",
		UsageText:   "sabine keys " + name + " ID [--keys FILE]",
		Description: "Example:\n   sabine keys " + name + " key-1a2b3c4d",
	}, func(f *keys.File, id string) error { return f.SetStatus(id, status) })
}

func accountCommand(s streams, name, usage string, active bool) *cli.Command {
	return changeCommand(s, &cli.Command{
		Name: name, Usage: usage, ArgsUsage: "one account's NAME",
		UsageText:   "sabine keys account " + name + " NAME [--keys FILE]",
		Description: "Example:\n   sabine keys account " + name + " \"Planning tool\"",
	}, func(f *keys.File, account string) error { return f.SetActive(account, active) })
}

// changeCommand completes a command that changes what its one argument names, in a key file that must be there: a wrong
// path is more likely than a file without keys.
func changeCommand(s streams, command *cli.Command, change func(f *keys.File, argument string) error) *cli.Command {
	command.Flags, command.Before = []cli.Flag{keysFlag(), storeNameFlag()}, takes(1, 1)
	command.Action = func(c *cli.Context) error {
		if _, err := keys.Read(c.String("keys")); err != nil {
			return err
		}
		return updateKeys(c, s, func(f *keys.File) error { return change(f, c.Args().First()) })
	}
	return command
}

// updateKeys changes a key file and warns of what is wrong about its owner and mode. --store-name goes into the file.
func updateKeys(c *cli.Context, s streams, change func(*keys.File) error) error {
	path := c.String("keys")
	store, err := givenStoreName(c)
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
