package fleet

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"sabine/indexes/snapshot"
	"sabine/internal/s3test"
)

// fileOf returns a snapshot whose sections have the kinds 1, 2, ... It omits sections that are nil.
func fileOf(t *testing.T, sections ...[]byte) *snapshot.File {
	t.Helper()
	w, err := snapshot.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range sections {
		if b == nil {
			continue
		}
		section, err := w.Section(snapshot.Kind(i+1), 32)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := section.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	info, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	f, err := snapshot.Open(info.Path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func TestAPatchMakesTheNewFile(t *testing.T) {
	t.Parallel()
	text := content(300_000)
	large := content(4 * maxLiteral)[maxLiteral:]
	numbers := func(add uint32) (b []byte) {
		for i := range uint32(20_000) {
			b = binary.LittleEndian.AppendUint32(append(b, text[12*i:][:12]...), i+add)
		}
		return b
	}
	tests := []struct {
		rule      string
		old, next [][]byte
		most      int // maximum size of the patch in bytes
	}{
		{"nothing has changed", [][]byte{text, large}, [][]byte{text, large}, 100},
		{"a byte in the middle", [][]byte{text},
			[][]byte{bytes.Join([][]byte{text[:9999], text[10_000:]}, []byte("x"))}, 200},
		{"a part is removed", [][]byte{text}, [][]byte{append(bytes.Clone(text[:100]), text[200_001:]...)}, 200},
		{"a part is added", [][]byte{text}, [][]byte{bytes.Join([][]byte{text[:777], text[777:]}, large)}, len(large) + 2500},
		{"two parts are exchanged", [][]byte{text}, [][]byte{append(bytes.Clone(text[150_001:]), text[:150_001]...)}, 200},
		{"a number in every record", [][]byte{numbers(0)}, [][]byte{numbers(1)}, len(numbers(0)) / 5},
		{"everything is new", [][]byte{text}, [][]byte{large}, len(large) + 2500},
		{"a section is added, another removed", [][]byte{text, nil, large}, [][]byte{nil, text, large}, len(text) + 2500},
		{"the new file has no section", [][]byte{text}, nil, 200},
		{"the old file has no section", nil, [][]byte{text}, len(text) + 2500},
		{"a section shorter than a block", [][]byte{[]byte("felt")}, [][]byte{[]byte("foam")}, 200},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			old, next := fileOf(t, tt.old...), fileOf(t, tt.next...)
			if n := len(roundTrip(t, old, next)); n > tt.most {
				t.Errorf("the patch has %d bytes, want at most %d", n, tt.most)
			}
		})
	}
	t.Run("random changes", func(t *testing.T) {
		random := rand.New(rand.NewPCG(34, 1))
		for range 50 {
			b := bytes.Clone(text[:1000+random.IntN(50_000)])
			for range random.IntN(40) {
				at, n := random.IntN(len(b)-100), random.IntN(100)
				part := text[random.IntN(len(text)-100):][:random.IntN(100)]
				b = append(b[:at:at], append(bytes.Clone(part), b[at+n:]...)...)
			}
			roundTrip(t, fileOf(t, text[:50_000], []byte("felt")), fileOf(t, b, []byte("foam")))
		}
	})
}

// roundTrip returns the patch from old to next, and checks that applying it to old results in next.
func roundTrip(t *testing.T, old, next *snapshot.File) []byte {
	t.Helper()
	var patch, made bytes.Buffer
	done := int64(0)
	if err := writePatch(t.Context(), &patch, old, next, func(n int64) { done = n }); err != nil {
		t.Fatal(err)
	}
	if done != next.Size() {
		t.Errorf("the progress ends at %d of %d bytes", done, next.Size())
	}
	b := patch.Bytes()
	if err := applyPatch(&made, bytes.NewReader(b), bytes.NewReader(old.Bytes()), next.Size()); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(made.Bytes(), next.Bytes()) {
		t.Fatal("the patch makes a different file")
	}
	return b
}

func TestAPatchOfAnEndedContextIsNotWritten(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := writePatch(ctx, io.Discard, fileOf(t), fileOf(t, content(100)), func(int64) {})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestDamagedPatches(t *testing.T) {
	t.Parallel()
	const size = 1000
	old := []byte(strings.Repeat("felt", 50))
	steps := func(numbers ...int64) (b []byte) { // encodes each number as a signed or an unsigned varint
		for i, n := range numbers {
			if i%3 == 2 {
				b = binary.AppendVarint(b, n)
			} else {
				b = binary.AppendUvarint(b, uint64(n))
			}
		}
		return b
	}
	packed := func(b []byte, o ...zstd.EOption) []byte {
		w, err := zstd.NewWriter(nil, o...)
		if err != nil {
			t.Fatal(err)
		}
		return w.EncodeAll(b, nil)
	}
	for _, tt := range []struct {
		rule  string
		patch []byte
		want  string
	}{
		{"nothing", nil, "unexpected EOF"},
		{"not zstd", []byte("<html>Please log in"), "magic number mismatch"},
		{"truncated zstd", packed(content(500))[:100], "unexpected EOF"},
		{"a window that is too large", packed(make([]byte, 4*patchWindow), zstd.WithWindowSize(2*patchWindow),
			zstd.WithSingleSegment(false)), "window size exceeded"},
		{"no steps", packed(nil), "unexpected EOF"},
		{"steps that end early", packed(steps(0, 100, 0)), "byte 100 of the new file: unexpected EOF"},
		{"a literal that ends early", packed(steps(200)), "unexpected EOF"},
		{"a literal longer than the file", packed(steps(size + 1)), "1001 is out of range: 1000 bytes are left"},
		{"a literal whose length is negative as an int64", packed(steps(-1)), "out of range"},
		{"a copy longer than the file", packed(steps(0, size+1, 0)), "1001 is out of range"},
		{"a copy that is too long after a literal", packed(append(append(steps(4), "foam"...), steps(size-3)...)),
			"997 is out of range: 996 bytes are left"},
		{"a copy from before the old file", packed(steps(0, 10, -1)), "negative"},
		{"a copy from after the old file", packed(steps(0, 10, 1_000_000)), "unexpected EOF"},
		{"a copy past the end of the old file", packed(steps(0, 201, 0)), "unexpected EOF"},
		{"a distance that overflows", packed(steps(0, 10, 1<<62, 0, 10, 1<<62)), "unexpected EOF"},
		{"many empty steps", packed(make([]byte, patchWindow)), "invalid empty step"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			var made bytes.Buffer
			err := applyPatch(&made, bytes.NewReader(tt.patch), bytes.NewReader(old), size)
			if err == nil || !strings.Contains(err.Error(), tt.want) || made.Len() > size {
				t.Errorf("got %d bytes and %v, want %s", made.Len(), err, tt.want)
			}
		})
	}
}

func TestDownloadsWithAPatch(t *testing.T) {
	t.Parallel()
	before, after := string(content(100_000)), string(content(100_000))+"foam"
	longer := func(w *world) error {
		for name, b := range w.store.objects {
			if strings.HasSuffix(name, ".patch") {
				w.store.set(name, append(b, 0))
			}
		}
		return nil
	}
	for _, tt := range []struct {
		rule    string
		by      spoiler // fault in the response for the patch
		prepare func(w *world) error
		whole   bool // whether the entire file is downloaded
		warned  string
	}{
		{"the store has it", nil, nil, false, ""},
		{"bytes after its end do not matter", nil, longer, false, ""},
		{"it is missing", vanished, nil, true, ""},
		{"the request fails", down, nil, true, "connection refused"},
		{"it is damaged", wrong, nil, true, "patch could not be used"},
		{"it ends early", ended(), nil, true, "unexpected EOF"},
		{"it is interrupted", cut, nil, true, "unexpected EOF"},
		{"it stalls", stalling, nil, true, "no data received for 30s"},
		{"it is not a patch", garbage("<html>Please log in"), nil, true, "magic number mismatch"},
		{"the local generation is damaged", nil, func(w *world) error {
			path := w.mirror.Folder.Path(snapshot.FileName(w.current()))
			b, err := os.ReadFile(path)
			b[len(b)/2] ^= 1
			return errors.Join(err, os.Chmod(path, 0o644), os.WriteFile(path, b, 0o644))
		}, true, "SHA-256"},
		{"the folder has another generation", nil, func(w *world) error {
			hash := built(w.t, w.mirror.Folder, "another one")
			return w.mirror.Folder.Switch(snapshot.FileName(hash))
		}, true, ""},
		{"the folder has no generation", nil, func(w *world) error { return os.RemoveAll(w.mirror.Folder.Dir) }, true, ""},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.patched = true
				first := w.publish(before)
				stop := w.run()
				stop()
				size := w.mirror.State().Bytes
				m := w.publish(after)
				if m.Patch == 0 || m.Patch > 1000 || m.PatchErr != nil {
					t.Fatalf("the patch has %d bytes, %v", m.Patch, m.PatchErr)
				}
				w.store.spoiled(m.patchName(first.Hash), tt.by)
				if tt.prepare != nil {
					if err := tt.prepare(w); err != nil {
						t.Fatal(err)
					}
				}
				w.run()
				time.Sleep(2 * stallTimeout)
				w.polls(1)
				if s := w.mirror.State(); w.current() != m.Hash || s.Status != StatusOK || s.Fetched != 2 || s.Refused > 0 {
					t.Fatalf("the current file is %s, want %s: %+v", w.current(), m.Hash, s)
				}
				if got := w.store.openedTimes(m.snapshotName()); got > 0 != tt.whole {
					t.Errorf("the whole file was opened %d times, want it opened: %t", got, tt.whole)
				}
				if moved := w.mirror.State().Bytes - size; moved > 2000 != tt.whole {
					t.Errorf("%d bytes were downloaded", moved)
				}
				warnings := strings.Count(w.log.String(), "level=WARN")
				if warnings > 1 || warnings == 1 != (tt.warned != "") || !strings.Contains(w.log.String(), tt.warned) {
					t.Errorf("want a warning of %q, got\n%s", tt.warned, &w.log)
				}
			})
		})
	}
}

func TestWhichPatchesArePublished(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(t *testing.T) Store{
		"file": fileStoreOf,
		"s3":   func(t *testing.T) Store { return openTestStore(t, s3test.Start(t).URL("p"), Options{}) },
	} {
		t.Run(name, func(t *testing.T) {
			p, from := &Publisher{Store: open(t), Keep: 2}, snapshot.Folder{Dir: t.TempDir()}
			mirror := &Mirror{Follower: Follower{Source: p.Store}, Folder: snapshot.Folder{Dir: t.TempDir()}}
			same := string(content(50_000))
			publish := func(last string) *Move {
				t.Helper()
				built(t, from, same+last)
				m, err := p.Publish(t.Context(), from)
				if err != nil {
					t.Fatal(err)
				}
				if m.Patch > 0 {
					size, err := p.Store.Size(t.Context(), m.patchName(m.Previous.Hash))
					if size != m.Patch || err != nil {
						t.Errorf("%d bytes, want %d, %v", size, m.Patch, err)
					}
				}
				return m
			}
			a := publish("a")
			if _, err := mirror.Once(t.Context()); err != nil {
				t.Fatal(err)
			}
			b := publish("b")
			if a.Patch != 0 || b.Patch == 0 || b.Patch > 1000 || b.PatchErr != nil {
				t.Errorf("the patch of the first has %d bytes, of the second %d, %v", a.Patch, b.Patch, b.PatchErr)
			}
			before := mirror.State().Bytes
			if _, err := mirror.Once(t.Context()); err != nil || mirror.State().Bytes-before != b.Patch {
				t.Errorf("a server has downloaded %d bytes, want %d, %v", mirror.State().Bytes-before, b.Patch, err)
			}
			if again := publish("b"); again.Patch != 0 || again.PatchErr != nil {
				t.Errorf("the current generation: %+v", again)
			}
			if back := publish("a"); back.Patch == 0 {
				t.Errorf("rollback to the first: %+v", back)
			}
			if forth := publish("b"); forth.Patch != 0 || forth.PatchErr != nil {
				t.Errorf("a patch that the store has: %+v", forth)
			}
			path := from.Path(b.snapshotName())
			if err := errors.Join(os.Chmod(path, 0o644), os.WriteFile(path, []byte("felt"), 0o644)); err != nil {
				t.Fatal(err)
			}
			if c := publish("c"); c.Patch != 0 || c.PatchErr == nil {
				t.Errorf("the previous generation is damaged: %+v", c)
			}
			if d := publish("d"); d.Patch == 0 {
				t.Errorf("afterwards: %+v", d)
			}
			if e := publishTo(t, p, "e"); e.Patch != 0 || e.PatchErr != nil {
				t.Errorf("the folder does not have the previous generation: %+v", e)
			}
			for _, hash := range []string{a.Hash, b.Hash} { // the store no longer retains these generations
				names, err := p.Store.Names(t.Context())
				for _, n := range names {
					if strings.HasPrefix(n.Name, hash) || err != nil {
						t.Errorf("%s was not removed, %v", n.Name, err)
					}
				}
			}
			if left, err := filepath.Glob(from.Path(".building-*")); len(left) > 0 || err != nil {
				t.Errorf("left in the folder: %v, %v", left, err)
			}
		})
	}
}

func FuzzPatch(f *testing.F) {
	f.Add([]byte{4, 'f', 'o', 'a', 'm', 4, 8})
	f.Add([]byte{0, 100, 0, 0, 100, 1})
	f.Fuzz(func(t *testing.T, steps []byte) {
		const size = 1000
		w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
		if err != nil {
			t.Fatal(err)
		}
		var made bytes.Buffer
		err = applyPatch(&made, bytes.NewReader(w.EncodeAll(steps, nil)), strings.NewReader("acoustic felt"), size)
		if made.Len() > size || (err == nil) != (made.Len() == size) {
			t.Errorf("%d bytes, %v", made.Len(), err)
		}
	})
}
