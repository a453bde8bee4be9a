package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"sabine/indexes/files"
	"sabine/indexes/snapshot"
)

// DefaultKeep is how many generations of a format a store keeps.
const DefaultKeep = 10

// orphanAge is how old an object must be that no pointer names before it is removed: a publisher may be about
// to name it.
const orphanAge = 24 * time.Hour

// A Publisher brings generations into force in a store.
type Publisher struct {
	Store    Store
	Signer   *Signer                              // nil: they are not signed
	Name     string                               // of the store in signatures; default StoreName(Store)
	Keep     int                                  // generations of a format that stay; default DefaultKeep
	Progress func(what string, done, total int64) // nil: nobody asks
}

// A Move is what a publisher did. As JSON it is the generation with the members below.
type Move struct {
	Generation
	Before   *Generation `json:"before"`           // what was in force before, null for nothing
	Uploaded int64       `json:"uploaded_bytes"`   // 0 when the store had the snapshot already
	Known    bool        `json:"already_in_force"` // so that nothing was done
	// the newest format that lies in the store when it is a newer one, else 0
	Newer   int      `json:"newer_format"`
	Patch   int64    `json:"patch_bytes"` // length of the patch that was uploaded, 0 for none
	Aside   string   `json:"refused"`     // what the newest build of the folder laid aside, "" for nothing
	Removed []string `json:"removed"`     // names of objects that were removed
	Left    error    `json:"-"`           // what could not be removed
	NoPatch error    `json:"-"`           // why there is no patch, though the generation before is in the folder
}

// Errors that a publisher's caller may branch on.
var (
	// ErrSigned says that a generation in the store is signed, and what shall follow is not.
	ErrSigned = errors.New("what is in force is signed, so what follows has to be")
	// ErrNoGeneration says that there is no generation to go back to.
	ErrNoGeneration = errors.New("no such generation in the store")
)

// Publish uploads the current generation of a folder unless the store has it, and then brings it into force.
// What a build laid aside is never published. It is ErrChanged when somebody else has moved the pointer since
// it was read.
func (p *Publisher) Publish(ctx context.Context, folder snapshot.Folder) (*Move, error) {
	folder = folder.Resolved()
	name, err := folder.Current()
	if err != nil {
		return nil, err
	}
	g, err := p.describe(ctx, folder, name)
	if err != nil {
		return nil, err
	}
	aside, err := folder.Refused()
	if err != nil {
		return nil, err
	}
	pointer, tag, err := p.read(ctx)
	if err != nil {
		return nil, err
	}
	sent, err := p.upload(ctx, folder, g.snapshotName(), g.Bytes)
	if err != nil {
		return nil, err
	}
	if g.Report != "" && !p.known(pointer, g) { // that of an earlier build of the same content is replaced
		if err := p.put(ctx, folder, g.reportName()); err != nil {
			return nil, err
		}
	}
	// before the move: a server looks for the patch once
	patch, unpatched := p.makePatch(ctx, folder, pointer, g)
	m, err := p.move(ctx, pointer, tag, *g)
	if err != nil {
		return nil, err
	}
	// between both, another publisher may have cleared it away
	again, err := p.upload(ctx, folder, g.snapshotName(), g.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s is in force, but may be missing: %w", g.Hash, err)
	}
	m.Uploaded, m.Aside, m.Patch, m.NoPatch = sent+again, aside, patch, unpatched
	return m, nil
}

// Previous stands for the generation that was in force before the present one.
const Previous = "previous"

// Rollback brings a generation of the store into force again: Previous, or the one whose hash begins so. It
// is ErrNoGeneration when there is none of the format that this program reads.
func (p *Publisher) Rollback(ctx context.Context, target string) (*Move, error) {
	pointer, tag, err := p.read(ctx)
	if err != nil {
		return nil, err
	}
	g, err := pointer.find(target)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Store, err)
	}
	if size, err := p.Store.Size(ctx, g.snapshotName()); err != nil || size != g.Bytes {
		return nil, fmt.Errorf("%s: %s cannot be brought back: %w", p.Store, g.snapshotName(),
			cmp.Or(err, short(size, g.Bytes)))
	}
	return p.move(ctx, pointer, tag, *g)
}

// find returns the generation that a rollback means.
func (p *Pointer) find(target string) (*Generation, error) {
	unread := func(g Generation) bool { return g.Format != snapshot.FormatMajor }
	known := slices.DeleteFunc(slices.Clone(p.Generations), unread)
	if target == Previous && len(known) > 1 {
		return &known[1], nil
	}
	found := slices.DeleteFunc(known, func(g Generation) bool { return !strings.HasPrefix(g.Hash, target) })
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("%w: %s, of format %d", ErrNoGeneration, target, snapshot.FormatMajor)
	case 1:
		return &found[0], nil
	}
	return nil, fmt.Errorf("%s is the beginning of %d hashes", target, len(found))
}

// read returns the store's pointer, an empty one when nothing was published yet, when this publisher may move
// it.
func (p *Publisher) read(ctx context.Context) (*Pointer, string, error) {
	if err := p.Store.Probe(ctx); err != nil {
		return nil, "", fmt.Errorf("%s: %w", p.Store, err)
	}
	pointer, tag, err := ReadPointer(ctx, p.Store, "")
	if errors.Is(err, ErrNotFound) {
		return &Pointer{Version: pointerVersion}, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	if p.Signer == nil && slices.ContainsFunc(pointer.Generations, func(g Generation) bool {
		return g.Signature != "" || g.Signature2 != ""
	}) {
		return nil, "", fmt.Errorf("%s: %w", p.Store, ErrSigned)
	}
	return pointer, tag, nil
}

// known reports whether a generation is in force already, signed as this publisher signs.
func (p *Publisher) known(pointer *Pointer, g *Generation) bool {
	now, _ := pointer.InForce(g.Format)
	return now != nil && now.Hash == g.Hash && (p.Signer == nil || p.Signer.signed(now, p.storeName()))
}

func (p *Publisher) storeName() string { return cmp.Or(p.Name, StoreName(p.Store)) }

// describe verifies the snapshot of a folder and says what the pointer will say of it.
func (p *Publisher) describe(ctx context.Context, folder snapshot.Folder, name string) (*Generation, error) {
	f, err := snapshot.Open(folder.Path(name))
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	f.Hashed = func(at int64) { p.tell("verify", at, f.Size()) }
	if err := f.VerifyHash(ctx); err != nil {
		return nil, err
	}
	major, _ := f.Version()
	g := &Generation{Hash: f.Hash(), Format: int(major), Bytes: f.Size()}
	report, err := snapshot.ReadReport(folder.Path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return g, nil
	}
	g.Report = tagOf(report)
	return g, err
}

func (p *Publisher) tell(what string, done, total int64) {
	if p.Progress != nil {
		p.Progress(what, done, total)
	}
}

// upload puts a snapshot of a folder into the store and returns how many bytes it sent: none when the store
// has one of that name and length.
func (p *Publisher) upload(ctx context.Context, folder snapshot.Folder, name string, size int64) (sent int64,
	err error) {
	there, err := p.Store.Size(ctx, name)
	if err == nil && there == size {
		return 0, nil
	}
	if err != nil && !errors.Is(err, ErrNotFound) {
		return 0, fmt.Errorf("%s: %w", p.Store, err)
	}
	return size, p.put(ctx, folder, name)
}

func (p *Publisher) put(ctx context.Context, folder snapshot.Folder, name string) error {
	file, info, err := files.OpenRegular(folder.Path(name))
	if err != nil {
		return err
	}
	defer file.Close()
	return p.send(ctx, name, file, info.Size())
}

func (p *Publisher) send(ctx context.Context, name string, file *os.File, size int64) error {
	var telling sync.Mutex
	done := int64(0)
	err := p.Store.Put(ctx, name, file, size, func(n int) {
		telling.Lock()
		defer telling.Unlock()
		done = min(done+int64(n), size)
		p.tell("upload", done, size)
	})
	if err != nil {
		return fmt.Errorf("%s: upload %s: %w", p.Store, name, err)
	}
	return nil
}

// move brings g into force by replacing the pointer that was read, and clears away what it no longer names.
func (p *Publisher) move(ctx context.Context, pointer *Pointer, tag string, g Generation) (*Move, error) {
	before, newer := pointer.InForce(g.Format)
	m := &Move{Before: before, Newer: newer, Removed: []string{}}
	if p.known(pointer, &g) {
		m.Generation, m.Known = *before, true
		return m, nil
	}
	g.Published, g.Signature, g.Store, g.Signature2 = pointer.nextTime(), "", "", ""
	if p.Signer != nil {
		p.Signer.sign(&g, p.storeName())
	}
	m.Generation = g
	b, err := pointer.with(g, cmp.Or(max(p.Keep, 0), DefaultKeep)).encode()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Store, err)
	}
	if _, err := p.Store.Swap(ctx, pointerName, b, tag); err != nil {
		if errors.Is(err, snapshot.ErrUnsynced) {
			return nil, fmt.Errorf("%s: move to %s: %w", p.Store, g.Hash, err)
		}
		now, _, unread := ReadPointer(ctx, p.Store, "")
		if unread != nil || !slices.ContainsFunc(now.Generations, func(other Generation) bool { return g.is(&other) }) {
			return nil, fmt.Errorf("%s: move %s to %s: %w%s", p.Store, pointerName, g.Hash, err, now.winner())
		} // else the store has done it, and failed to say so
	}
	m.clear(ctx, p.Store, pointer)
	return m, nil
}

func (p *Pointer) winner() string {
	if p == nil || len(p.Generations) == 0 {
		return ""
	}
	g := p.Generations[0]
	return fmt.Sprintf(": %s came into force at %s; nothing was changed", g.Hash, g.Published.Format(time.RFC3339Nano))
}

// nextTime returns the time of the pointer's next move: now, but later than every move before.
func (p *Pointer) nextTime() time.Time {
	t := time.Now().UTC().Truncate(time.Millisecond)
	for _, g := range p.Generations {
		if !t.After(g.Published) {
			t = g.Published.UTC().Truncate(time.Millisecond).Add(time.Millisecond)
		}
	}
	return t
}

// with returns the pointer with g in force, and of its format as many generations as are kept.
func (p *Pointer) with(g Generation, keep int) *Pointer {
	next := &Pointer{Version: pointerVersion, Generations: []Generation{g}}
	for _, other := range p.Generations {
		if other.Format == g.Format {
			if other.Hash == g.Hash || keep <= 1 {
				continue
			}
			keep--
		}
		next.Generations = append(next.Generations, other)
	}
	return next
}

// clear removes the objects of generations that the pointer has dropped since it was the one before, and what
// publishers that died have left. What it names by now stays.
func (m *Move) clear(ctx context.Context, store Store, before *Pointer) {
	pointer, _, err := ReadPointer(ctx, store, "")
	if err != nil {
		m.Left = err
		return
	}
	names, err := store.Names(ctx)
	faults := []error{err}
	for _, n := range names { // reports come first, so none outlives its snapshot
		if !isOrphan(n.Name, pointer) || n.Age <= orphanAge && isOrphan(n.Name, before) {
			continue
		}
		if err := store.Remove(ctx, n.Name); err != nil {
			faults = append(faults, err)
			continue
		}
		m.Removed = append(m.Removed, n.Name)
	}
	m.Left = errors.Join(faults...)
}

// isOrphan reports whether a name is that of a generation's object, or of an upload to a folder that was not
// finished, and the pointer does not name the generation; or that of a probe.
func isOrphan(name string, pointer *Pointer) bool {
	if strings.HasPrefix(name, probePrefix) {
		return true
	}
	name, hidden := strings.CutPrefix(name, ".")
	hash, rest, _ := strings.Cut(name, ".")
	from := strings.TrimSuffix(strings.TrimPrefix(rest, "from-"), ".patch")
	whole := name == snapshot.FileName(hash) || name == snapshot.ReportOf(snapshot.FileName(hash)) ||
		snapshot.IsHash(from) && name == (&Generation{Hash: hash}).patchName(from)
	named := slices.ContainsFunc(pointer.Generations, func(g Generation) bool { return g.Hash == hash })
	return snapshot.IsHash(hash) && (hidden || whole && !named)
}
