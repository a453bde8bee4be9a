package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"sync"
	"time"

	"sabine/indexes/files"
	"sabine/indexes/snapshot"
)

// DefaultKeep is the default number of generations that a store retains for each format.
const DefaultKeep = 10

// orphanAge is the minimum age of objects that are removed because the pointer does not list them. A younger
// object may be from a publisher that has not replaced the pointer yet.
const orphanAge = 24 * time.Hour

// A Publisher makes generations current in a store.
type Publisher struct {
	Store    Store
	Signer   *Signer                              // signs the generations; nil to publish them unsigned
	Name     string                               // store name in signatures; "" means StoreName(Store)
	Keep     int                                  // generations to retain per format; 0 means DefaultKeep
	Progress func(what string, done, total int64) // called repeatedly to report progress; may be nil
}

// A Move is the result of Publish or Rollback. Its JSON also contains the members of the generation.
type Move struct {
	Generation
	Previous       *Generation `json:"before"`           // previously current generation, or null
	Uploaded       int64       `json:"uploaded_bytes"`   // 0 if the store already had the snapshot
	AlreadyCurrent bool        `json:"already_in_force"` // whether it was already current, with a signature by the same key
	NewerFormat    int         `json:"newer_format"`     // newest format in the store if newer than this one, otherwise 0
	Patch          int64       `json:"patch_bytes"`      // size of the uploaded patch; 0 if there is none
	RefusedBuild   string      `json:"refused"`          // name of the newest build's snapshot if refused, or ""
	Removed        []string    `json:"removed"`          // names of the removed objects
	CleanupErr     error       `json:"-"`                // errors from the removal of old objects
	PatchErr       error       `json:"-"`                // error in making a patch from the previous generation
}

var (
	// ErrSigned is returned if the store has signed generations and the Publisher has no Signer.
	ErrSigned = errors.New("the store has signed generations, so a new generation must be signed")
	// ErrNoGeneration is returned if the store does not have the requested generation.
	ErrNoGeneration = errors.New("no such generation in the store")
)

// Publish uploads the current generation of a folder, unless the store already has it, and makes it the
// current generation of the store. It never publishes a refused snapshot. It returns ErrChanged if another
// process has replaced the pointer in the meantime.
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
	refused, err := folder.Refused()
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
	if g.Report != "" && !p.isPublished(pointer, g) { // replaces the report on an earlier build of this snapshot
		if err := p.put(ctx, folder, g.reportName()); err != nil {
			return nil, err
		}
	}
	// Upload the patch before the move, since a server requests it only once.
	patch, patchErr := p.makePatch(ctx, folder, pointer, g)
	m, err := p.move(ctx, pointer, tag, *g)
	if err != nil {
		return nil, err
	}
	// Upload the snapshot again if another publisher removed it before the move.
	again, err := p.upload(ctx, folder, g.snapshotName(), g.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s is current, but its file may be missing: %w", g.Hash, err)
	}
	m.Uploaded, m.RefusedBuild, m.Patch, m.PatchErr = sent+again, refused, patch, patchErr
	return m, nil
}

// Rollback makes an earlier generation current again. The target is Previous or a prefix of its hash.
// Rollback returns ErrNoGeneration if the store has no such generation in the format of this program.
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
		return nil, fmt.Errorf("%s: roll back to %s: %w", p.Store, g.snapshotName(),
			cmp.Or(err, checkLength(size, g.Bytes)))
	}
	return p.move(ctx, pointer, tag, *g)
}

// read returns the pointer of the store, or an empty one if nothing has been published. It returns an error
// if this publisher is not allowed to replace the pointer.
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

// isPublished reports whether g is already current and, if this publisher signs, is signed with its key.
func (p *Publisher) isPublished(pointer *Pointer, g *Generation) bool {
	now, _ := pointer.Current(g.Format)
	return now != nil && now.Hash == g.Hash && (p.Signer == nil || p.Signer.hasSigned(now, p.storeName()))
}

func (p *Publisher) storeName() string { return cmp.Or(p.Name, StoreName(p.Store)) }

// describe verifies a snapshot in the folder and returns its entry for the pointer.
func (p *Publisher) describe(ctx context.Context, folder snapshot.Folder, name string) (*Generation, error) {
	f, err := snapshot.Open(folder.Path(name))
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	f.Hashed = func(at int64) { p.reportProgress("verify", at, f.Size()) }
	if err := f.VerifyHash(ctx); err != nil {
		return nil, err
	}
	g := &Generation{Hash: f.Hash(), Format: snapshot.FormatMajor, Bytes: f.Size()}
	report, err := snapshot.ReadReport(folder.Path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return g, nil
	}
	g.Report = tagOf(report)
	return g, err
}

func (p *Publisher) reportProgress(what string, done, total int64) {
	if p.Progress != nil {
		p.Progress(what, done, total)
	}
}

// upload uploads a snapshot from a folder unless the store has an object with the same name and size. It
// returns the number of bytes sent.
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

// put uploads a file from a folder. It replaces an object with the same name.
func (p *Publisher) put(ctx context.Context, folder snapshot.Folder, name string) error {
	file, info, err := files.OpenRegular(folder.Path(name))
	if err != nil {
		return err
	}
	defer file.Close()
	return p.send(ctx, name, file, info.Size())
}

func (p *Publisher) send(ctx context.Context, name string, file *os.File, size int64) error {
	var mu sync.Mutex
	done := int64(0)
	err := p.Store.Put(ctx, name, file, size, func(n int) {
		mu.Lock()
		defer mu.Unlock()
		done = min(done+int64(n), size)
		p.reportProgress("upload", done, size)
	})
	if err != nil {
		return fmt.Errorf("%s: upload %s: %w", p.Store, name, err)
	}
	return nil
}

// move makes g current by replacing the pointer that was read. It then removes objects that the new pointer
// does not list.
func (p *Publisher) move(ctx context.Context, pointer *Pointer, tag string, g Generation) (*Move, error) {
	before, newer := pointer.Current(g.Format)
	m := &Move{Previous: before, NewerFormat: newer, Removed: []string{}}
	if p.isPublished(pointer, &g) {
		m.Generation, m.AlreadyCurrent = *before, true
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
			return nil, fmt.Errorf("%s: switch to %s: %w", p.Store, g.Hash, err)
		}
		now, _, readErr := ReadPointer(ctx, p.Store, "")
		if readErr != nil || !slices.ContainsFunc(now.Generations, func(other Generation) bool { return g.equal(&other) }) {
			return nil, fmt.Errorf("%s: switch %s to %s: %w%s", p.Store, pointerName, g.Hash, err, now.conflict())
		} // otherwise the store returned an error but did replace the pointer
	}
	m.removeOrphans(ctx, p.Store, pointer)
	return m, nil
}

func (p *Pointer) conflict() string {
	if p == nil || len(p.Generations) == 0 {
		return ""
	}
	g := p.Generations[0]
	return fmt.Sprintf(": %s has been current since %s; nothing was changed", g.Hash, g.Published.Format(time.RFC3339Nano))
}

// removeOrphans removes the objects of generations that the pointer no longer lists, and objects of crashed
// publishers. It reads the pointer again, so that it retains objects of concurrent publishers.
func (m *Move) removeOrphans(ctx context.Context, store Store, before *Pointer) {
	pointer, _, err := ReadPointer(ctx, store, "")
	if err != nil {
		m.CleanupErr = err
		return
	}
	names, err := store.Names(ctx)
	faults := []error{err}
	for _, n := range names { // sorted: a report first, so that it never remains without its snapshot
		if !isOrphan(n.Name, pointer) || n.Age <= orphanAge && isOrphan(n.Name, before) {
			continue
		}
		if err := store.Remove(ctx, n.Name); err != nil {
			faults = append(faults, err)
			continue
		}
		m.Removed = append(m.Removed, n.Name)
	}
	m.CleanupErr = errors.Join(faults...)
}

var (
	// unfinishedName matches the names of the objects of a probe and of unfinished uploads to a folder.
	unfinishedName = regexp.MustCompile(`^\.(probe-|[0-9a-f]{64}(\.|$))`)
	// generationName matches the names of the objects of a generation, and its hash.
	generationName = regexp.MustCompile(`^([0-9a-f]{64})\.(snapshot|report\.json|from-[0-9a-f]{64}\.patch)$`)
)

// isOrphan reports whether name is the name of an unfinished object, or of an object of a generation that the
// pointer does not list. Other names, such as CURRENT, are not orphans.
func isOrphan(name string, pointer *Pointer) bool {
	if unfinishedName.MatchString(name) {
		return true
	}
	match := generationName.FindStringSubmatch(name)
	return match != nil && !slices.ContainsFunc(pointer.Generations, func(g Generation) bool { return g.Hash == match[1] })
}
