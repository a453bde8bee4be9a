package fleet

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"

	"sabine/indexes/files"
)

func TestACopyFollowsItsObject(t *testing.T) {
	t.Parallel()
	signer, public := newSigner(t)
	store := newMemStore()
	path := filepath.Join(t.TempDir(), "cache", "keys.json")
	c := &Copy{Follower: Follower{Source: store}, Name: "keys.json", Path: path, Check: func(b []byte) error {
		if strings.HasPrefix(string(b), "bad") {
			return errors.New("keys.json: no keys")
		}
		return nil
	}}
	put := func(content string) {
		store.set("keys.json", []byte(content))
		store.set("keys.json.minisig", minisign.Sign(signer.key, []byte(content)))
	}
	for _, tt := range []struct {
		rule    string
		do      func()
		status  string
		reason  string
		content string // expected content of the file
	}{
		{"there is no object", func() {}, StatusAway, "not found", ""},
		{"there is an object", func() { put("one") }, StatusOK, "", "one"},
		{"it is unchanged", func() {}, StatusOK, "", "one"},
		{"it changes", func() { put("two") }, StatusOK, "", "two"},
		{"it is invalid", func() { put("bad") }, StatusRefused, "mem://store: keys.json: no keys", "two"},
		{"it is still invalid", func() {}, StatusRefused, "no keys", "two"},
		{"it is too large", func() { put(strings.Repeat("x", maxCopySize+1)) }, StatusRefused, "larger than", "two"},
		{"it is valid again", func() { put("three") }, StatusOK, "", "three"},
		{"the file is missing", func() { _ = os.Remove(c.Path) }, StatusOK, "", "three"},
		{"it was removed while it was written", func() {
			_ = os.Remove(c.Path)
			c.written = files.Stamp{} // since StampOf failed
		}, StatusOK, "", "three"},
		{"the file is changed", func() { _ = os.WriteFile(c.Path, []byte("own"), 0o600) }, StatusOK, "", "three"},
		{"others may read the file", func() { _ = os.Chmod(c.Path, 0o644) }, StatusOK, "", "three"},
		{"the store is down", func() { store.spoiled("", down) }, StatusAway, "connection refused", "three"},
		{"also after a restart", func() {
			*c = Copy{Follower: Follower{Source: c.Source}, Name: c.Name, Path: c.Path, Check: c.Check}
		}, StatusAway, "connection refused", "three"},
		{"it is unsigned", func() {
			c.Trust = Trust{public}
			store.mended()
			store.set("keys.json", []byte("four"))
			_ = store.Remove(t.Context(), "keys.json.minisig")
		}, StatusRefused, "no signature", "three"},
		{"the signature is for other content", func() {
			put("four")
			store.set("keys.json", []byte("five"))
		}, StatusRefused, "not signed", "three"},
		{"it was signed", func() { put("five") }, StatusOK, "", "five"},
		{"the signature is older", func() {
			store.set("keys.json", []byte("four"))
			store.set("keys.json.minisig", minisign.SignWithComments(signer.key, []byte("four"), "timestamp:1\tfile:keys.json",
				""))
		}, StatusRefused, "according to the times in the signatures", "five"},
	} {
		tt.do()
		_ = c.Once(t.Context())
		s := c.State()
		if s.Status != tt.status || !strings.Contains(s.Reason, tt.reason) || (s.Reason == "") != (tt.reason == "") {
			t.Errorf("%s: got %+v", tt.rule, s)
		}
		b, err := os.ReadFile(c.Path)
		if tt.content == "" && err == nil || string(b) != tt.content || (s.Hash == tagOf(b)) != (tt.content != "") {
			t.Errorf("%s: the file is %.20q, %v; %+v", tt.rule, b, err, s)
		}
		if info, err := os.Stat(c.Path); err == nil && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v", tt.rule, info.Mode())
		}
	}
	if entries, err := os.ReadDir(filepath.Dir(c.Path)); err != nil || len(entries) != 2 { // the file and its signature
		t.Errorf("unexpected files: %v, %v", entries, err)
	}
}

// If a source has no tags, each poll reads the object, but the file is written only if the content changes.
func TestACopyOfAnObjectWithoutATag(t *testing.T) {
	t.Parallel()
	store := newMemStore()
	store.set("keys.json", []byte("one"))
	store.spoiled("", func(_ context.Context, b []byte) (io.Reader, error) { return bytes.NewReader(b), nil })
	c := &Copy{
		Follower: Follower{Source: store}, Name: "keys.json", Path: filepath.Join(t.TempDir(), "keys.json"),
		Check: func([]byte) error { return nil },
	}
	var before files.Stamp
	for i, content := range []string{"one", "one", "two", "two"} {
		store.set("keys.json", []byte(content))
		if err := c.Once(t.Context()); err != nil {
			t.Fatal(err)
		}
		after, err := files.StampOf(c.Path)
		if b, _ := os.ReadFile(c.Path); err != nil || string(b) != content || (after == before) != (i%2 == 1) {
			t.Errorf("poll %d: %q, %v; written: %t", i, b, err, after != before)
		}
		before = after
	}
	if s := c.State(); s.Fetched != 2 || s.Status != StatusOK {
		t.Errorf("%+v", s)
	}
}

// If the file from an earlier run is removed before the source responds, the file must be written again.
func TestACopyRemovedBeforeTheSourceRespondsIsWrittenAgain(t *testing.T) {
	t.Parallel()
	store := newMemStore()
	store.set("keys.json", []byte("one"))
	store.spoiled("", down)
	c := &Copy{
		Follower: Follower{Source: store}, Name: "keys.json", Path: filepath.Join(t.TempDir(), "keys.json"),
		Check: func([]byte) error { return nil },
	}
	if err := os.WriteFile(c.Path, []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.Once(t.Context()); err == nil {
		t.Error("a store that is down has responded")
	}
	store.mended()
	if err := errors.Join(os.Remove(c.Path), c.Once(t.Context())); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(c.Path); string(b) != "one" {
		t.Errorf("got %q, %v", b, err)
	}
}
