package runtime

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"sabine/indexes"
	"sabine/indexes/snapshot"
)

// Open opens a snapshot, verifies its section checksums and runs a first query. The error is a
// *snapshot.CorruptError (or several, joined), a *snapshot.VersionError, or a file system error.
func Open(ctx context.Context, path string) (*Generation, error) { return open(ctx, path, false) }

// open is like Open. If gentle is true, it yields the processors to requests.
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

// newGeneration verifies an opened file and returns a generation with one reference, the opener's.
//
// After verifying the checksums, it runs a first query of each kind and discards the results. So structures
// that the build damaged before it computed the checksum, and a file that is being truncated, are detected
// before a request reads them.
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
		return nil, fmt.Errorf("%s: a query for all products found %d of %d",
			file.Path(), first.Total, g.Products())
	}
	for _, d := range first.Docs {
		g.AppendDetail(nil, d, true)
		g.appendPublic(nil, d, English)
		g.AppendCompare(nil, d)
	}
	return g, nil
}
