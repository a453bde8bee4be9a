package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"aead.dev/minisign"
	"github.com/minio/minio-go/v7"
)

// writeSecrets writes what signs, which it returns, and what hides the names of clients.
func (f *fleet) writeSecrets() (minisign.PrivateKey, error) {
	_, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		return private, err
	}
	text, err := private.MarshalText()
	if err != nil {
		return private, err
	}
	f.publisher = []string{"--store", f.address("acoustics"), "--sign", f.path(signName), "--json"}
	return private, errors.Join(os.WriteFile(f.path(signName), text, 0o600),
		os.WriteFile(f.path(secretName), []byte(randomText()+"\n"), 0o600))
}

// createKeys makes accounts: so many that the load does not spend the budget of any, and one for each budget
// that is spent.
func (f *fleet) createKeys(ctx context.Context, o *options) error {
	create := func(name string) (string, error) {
		out, err := f.run(ctx, "keys", "create", "--account", name, "--keys", f.path(keysName), "--store-name",
			"s3://"+bucketName)
		return strings.TrimSpace(out), err
	}
	share := 2 * o.rate * int(window/time.Second) / budget // at which each spends half of its budget
	for i := range share + 1 {
		key, err := create(fmt.Sprint("load-", i))
		if err != nil {
			return err
		}
		f.accounts = append(f.accounts, key)
	}
	for i := range o.generations {
		key, err := create(fmt.Sprint("spender-", i))
		if err != nil {
			return err
		}
		f.spenders = append(f.spenders, key)
	}
	return nil
}

// uploadKeys puts the key file into the store, with a signature beside it.
func (f *fleet) uploadKeys(ctx context.Context, private minisign.PrivateKey) error {
	keys, err := os.ReadFile(f.path(keysName))
	if err != nil {
		return err
	}
	put := func(name string, b []byte) error {
		_, err := f.bucket.PutObject(ctx, bucketName, name, bytes.NewReader(b), int64(len(b)), minio.PutObjectOptions{})
		return err
	}
	return errors.Join(put(keysName+".minisig", minisign.Sign(private, keys)), put(keysName, keys))
}

// randomText returns a secret of 128 bits.
func randomText() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
