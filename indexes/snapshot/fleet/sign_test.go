package fleet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"

	"sabine/indexes/snapshot"
)

func TestSignatures(t *testing.T) {
	t.Parallel()
	ours, public := newSigner(t)
	theirs, otherPublic := newSigner(t)
	for _, tt := range []struct {
		rule    string
		trust   Trust
		change  func(g *Generation)
		trusted bool
	}{
		{"by a trusted key", Trust{public}, nil, true},
		{"by one of two trusted keys", Trust{otherPublic, public}, nil, true},
		{"by another", Trust{otherPublic}, nil, false},
		{"unsigned", Trust{public}, func(g *Generation) { g.Signature, g.Store, g.Signature2 = "", "", "" }, false},
		{"an invalid signature", Trust{public}, func(g *Generation) { g.Signature2 = "RW" }, false},
		{"of an older program, without the name of a store", Trust{public}, func(g *Generation) {
			g.Store, g.Signature2 = "", ""
		}, false},
		{"for a store whose name was removed", Trust{public}, func(g *Generation) { g.Store = "" }, false},
		{"for a store whose name was changed", Trust{public}, func(g *Generation) { g.Store = "mem://store" }, false},
		{"the signature for older programs is not verified", Trust{public}, func(g *Generation) {
			g.Signature = "RW"
		}, true},
		{"for another hash", Trust{public}, func(g *Generation) { g.Hash = strings.Repeat("ab", 32) }, false},
		{"for another time", Trust{public}, func(g *Generation) { g.Published = g.Published.Add(time.Millisecond) }, false},
		{"for another report", Trust{public}, func(g *Generation) { g.Report = "" }, false},
		{"for another size", Trust{public}, func(g *Generation) { g.Bytes++ }, false},
		{"no signature is required", nil, func(g *Generation) { g.Signature, g.Store, g.Signature2 = "", "", "" }, true},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			store := newMemStore()
			signedFor := ""
			if strings.Contains(tt.rule, "was changed") {
				signedFor = "mem://staging"
			}
			m := publishTo(t, &Publisher{Store: store, Signer: ours, Name: signedFor}, "felt")
			if tt.change != nil {
				tt.change(&m.Generation)
				store.set(pointerName, []byte(pointerOf(t, m.Generation)))
			}
			mirror := &Mirror{Follower: Follower{Source: store, Trust: tt.trust}, Folder: snapshot.Folder{Dir: t.TempDir()}}
			_, err := mirror.Once(t.Context())
			if (err == nil) != tt.trusted || err != nil && (!errors.Is(err, errUntrusted) ||
				mirror.State().Status != StatusRefused) {
				t.Errorf("got %v, %+v", err, mirror.State())
			}
		})
	}
	t.Run("the same content is signed again with a new key", func(t *testing.T) {
		store := newMemStore()
		publishTo(t, &Publisher{Store: store, Signer: ours}, "felt")
		if m := publishTo(t, &Publisher{Store: store, Signer: theirs}, "felt"); m.AlreadyCurrent ||
			!theirs.hasSigned(&m.Generation, "mem://store") {
			t.Errorf("got %+v", m)
		}
	})
}

func TestASignatureWithoutAStoreIsRefused(t *testing.T) {
	t.Parallel()
	_, public := newSigner(t)
	g := Generation{Signature: "as older programs sign"}
	err := Trust{public}.allow(&g, "mem://store")
	if !errors.Is(err, errUntrusted) || !strings.Contains(err.Error(), "does not name the store mem://store") {
		t.Errorf("got %v", err)
	}
}

func TestASignedGenerationIsForOneStore(t *testing.T) {
	t.Parallel()
	signer, public := newSigner(t)
	for _, trust := range []Trust{{public}, nil} {
		for _, tt := range []struct {
			rule      string
			published string // store name with which the publisher signs
			followed  string // store name expected by the follower of another store with the same objects
			refused   string // part of the expected error; "" if there is none
		}{
			{"the addresses are the names", "", "", "for the store mem://staging, but this store is mem://production"},
			{"a name that only the publisher has", "staging", "", "for the store staging, but this store is mem://production"},
			{"a name that only the follower has", "", "production", "for the store mem://staging, but this store is production"},
			{"two names", "staging", "production", "for the store staging, but this store is production"},
			{"the follower gives the publisher's name", "catalogue", "catalogue", ""},
			{"the follower gives the publisher's address", "", "mem://staging", ""},
			{"a copy that is signed for its own address", "mem://production", "", ""},
		} {
			t.Run(fmt.Sprintf("%s, %d trusted keys", tt.rule, len(trust)), func(t *testing.T) {
				staging, production := newMemStore(), newMemStore()
				staging.address, production.address = "mem://staging", "mem://production"
				m := publishTo(t, &Publisher{Store: staging, Signer: signer, Name: tt.published}, "felt")
				for name, b := range staging.objects {
					production.set(name, b)
				}
				folder := snapshot.Folder{Dir: t.TempDir()}
				mirror := &Mirror{Follower: Follower{Source: production, Trust: trust}, Folder: folder, Name: tt.followed}
				_, err := mirror.Once(t.Context())
				if tt.refused == "" {
					if current, _ := folder.Current(); err != nil || current != m.snapshotName() {
						t.Errorf("got %q, %v", current, err)
					}
					return
				}
				if err == nil || !strings.Contains(err.Error(), tt.refused) || mirror.State().Status != StatusRefused {
					t.Errorf("got %v, %+v; want %q", err, mirror.State(), tt.refused)
				}
				if _, err := folder.Current(); err == nil {
					t.Error("the generation of the other store is current")
				}
			})
		}
	}
}

func TestOlderProgramsCanReadThePointer(t *testing.T) {
	t.Parallel()
	signer, public := newSigner(t)
	store := newMemStore()
	m := publishTo(t, &Publisher{Store: store, Signer: signer}, "felt")
	// This is the data that the previous release reads and verifies.
	var pointer struct {
		Version     int
		Generations []struct {
			Hash, Report, Published, Signature string
			Format, Bytes                      int
		}
	}
	d := json.NewDecoder(bytes.NewReader(store.objects[pointerName]))
	if err := d.Decode(&pointer); err != nil || pointer.Version != 1 || len(pointer.Generations) != 1 {
		t.Fatalf("got %+v, %v", pointer, err)
	}
	g := pointer.Generations[0]
	statement := fmt.Sprintf("sabine generation\nhash %s\nformat %d\nbytes %d\nreport %s\npublished %s\n",
		m.Hash, g.Format, g.Bytes, g.Report, g.Published)
	if !minisign.Verify(public, []byte(statement), []byte(g.Signature)) {
		t.Errorf("%s\nis not what %q signs", statement, g.Signature)
	}
	if !minisign.Verify(public, []byte(statement+"store mem://store\n"), []byte(m.Signature2)) {
		t.Errorf("%sstore mem://store\nis not what %q signs", statement, m.Signature2)
	}
}

func TestPublishSignsAgainForAnotherStoreName(t *testing.T) {
	t.Parallel()
	signer, public := newSigner(t)
	store := newMemStore()
	first := publishTo(t, &Publisher{Store: store, Signer: signer}, "felt")
	old := first.Generation
	old.Store, old.Signature2 = "", ""
	store.set(pointerName, []byte(pointerOf(t, old)))
	for _, tt := range []struct {
		rule string
		name string
	}{
		{"a generation of an older program gets the name", "mem://store"},
		{"a store that is renamed", "catalogue"},
	} {
		m := publishTo(t, &Publisher{Store: store, Signer: signer, Name: tt.name}, "felt")
		if m.AlreadyCurrent || m.Uploaded != 0 || m.Store != tt.name {
			t.Errorf("%s: got %+v", tt.rule, m)
		}
		if again := publishTo(t, &Publisher{Store: store, Signer: signer, Name: tt.name}, "felt"); !again.AlreadyCurrent {
			t.Errorf("%s: a generation with that name was signed again: %+v", tt.rule, again)
		}
		mirror := &Mirror{Follower: Follower{Source: store, Trust: Trust{public}}, Folder: snapshot.Folder{Dir: t.TempDir()},
			Name: tt.name}
		if _, err := mirror.Once(t.Context()); err != nil {
			t.Errorf("%s: %v", tt.rule, err)
		}
	}
	publishTo(t, &Publisher{Store: store, Signer: signer}, "wool")
	m, err := (&Publisher{Store: store, Signer: signer, Name: "catalogue"}).Rollback(t.Context(), first.Hash)
	if err != nil || m.Store != "catalogue" || !signer.hasSigned(&m.Generation, "catalogue") {
		t.Errorf("a rollback: %+v, %v", m, err)
	}
}

func TestNamesOfStores(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ address, name string }{
		{"s3://catalogue/acoustics?endpoint=https://s3.example.org", "s3://catalogue/acoustics"},
		{"s3://catalogue/acoustics/", "s3://catalogue/acoustics"},
		{"s3://catalogue", "s3://catalogue"},
		{"s3://catalogue/a%3Fb", "s3://catalogue/a%3Fb"},
		{"https://user:secret@example.org/acoustics/?sig=secret", "https://example.org/acoustics"},
		{"file:///srv/store/", "file:///srv/store"},
		{"file:///srv/a%3Fb", "file:///srv/a%3Fb"},
	} {
		from, err := OpenSource(tt.address, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := StoreName(from); got != tt.name {
			t.Errorf("%s: got %s, want %s", tt.address, got, tt.name)
		}
	}
	for _, name := range []string{"", "a\nb", "a\x00", "\xff", strings.Repeat("a", maxStoreName+1)} {
		if CheckStoreName(name) == nil {
			t.Errorf("%.20q was accepted", name)
		}
	}
	if _,
		err := parsePointer([]byte(pointerOf(t, Generation{Hash: strings.Repeat("ab", 32), Format: 1, Bytes: 1,
		Published: time.Now(), Store: "a\nb"}))); err == nil {
		t.Error("a pointer with a line break in the name of a store was accepted")
	}
}

func TestTwoGenerationsOfOneTime(t *testing.T) {
	t.Parallel()
	signer, public := newSigner(t)
	store := newMemStore()
	mirror := &Mirror{Follower: Follower{Source: store, Trust: Trust{public}}, Folder: snapshot.Folder{Dir: t.TempDir()}}
	first := publishTo(t, &Publisher{Store: store, Signer: signer}, "felt")
	if _, err := mirror.Once(t.Context()); err != nil {
		t.Fatal(err)
	}
	second := publishTo(t, &Publisher{Store: store, Signer: signer}, "wool").Generation
	second.Published = first.Published
	signer.sign(&second, "mem://store")
	store.set(pointerName, []byte(pointerOf(t, second)))
	restarted := &Mirror{Follower: Follower{Source: store, Trust: mirror.Trust}, Folder: mirror.Folder}
	for rule, m := range map[string]*Mirror{"the same process": mirror, "after a restart": restarted} {
		_, err := m.Once(t.Context())
		if current, _ := m.Folder.Current(); !errors.Is(err, ErrOlder) || current != first.snapshotName() {
			t.Errorf("%s: %v; the current file is %s, want %s", rule, err, current, first.snapshotName())
		}
	}
	store.set(pointerName, []byte(pointerOf(t, first.Generation)))
	if _, err := mirror.Once(t.Context()); err != nil {
		t.Errorf("the first generation is no longer accepted: %v", err)
	}
}
