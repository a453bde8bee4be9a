package runtime

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"sabine/indexes"
	"sabine/indexes/snapshot"
)

// Open opens a snapshot, verifies its section checksums and asks it a first question, so that what it
// returns is known to answer. The error is a *snapshot.CorruptError (several are joined), a
// *snapshot.VersionError, or that of the file system.
func Open(ctx context.Context, path string) (*Generation, error) { return open(ctx, path, false) }

// open is Open; a gentle one leaves the processors to requests.
func open(ctx context.Context, path string, gentle bool) (*Generation, error) {
	file, err := snapshot.Open(path)
	if err != nil {
		return nil, err
	}
	file.Gentle = gentle
	g, err := newGeneration(ctx, file)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return g, nil
}

// newGeneration verifies an opened file and puts a generation with one hold, the opener's, around it.
//
// Behind the checksums it asks a first question of each kind and throws the answers away. A damaged
// structure that its checksum does not know of (a fault of the build, not of the disk), and a file that is
// truncated meanwhile, show here as an error, and not in the first request.
func newGeneration(ctx context.Context, file *snapshot.File) (g *Generation, err error) {
	if err := file.VerifyChecksums(ctx); err != nil {
		return nil, err
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			g, err = nil, fmt.Errorf("%s: the snapshot fails its first query: %v", file.Path(), p)
		}
	}()
	index, err := indexes.Open(file)
	if err != nil {
		return nil, err
	}
	g = &Generation{file: file, index: index, engine: newEngine(index)}
	g.references.Store(1)
	first := g.Search(&Query{Limit: 1, Facets: true})
	if first.Total != g.Products() {
		return nil, fmt.Errorf("%s: the snapshot's first query finds %d of %d products",
			file.Path(), first.Total, g.Products())
	}
	for _, d := range first.Docs {
		g.AppendDetail(nil, d, true)
		g.appendPublic(nil, d, English)
		g.AppendCompare(nil, d)
	}
	return g, nil
}
