package serve

import (
	"slices"
	"strings"

	"sabine/dataset/jsonwriter"
	"sabine/indexes/column"
	"sabine/runtime"
)

const (
	maxBatch    = 50 // maximum number of identifiers in a batch
	maxCompared = 4  // maximum number of identifiers in a comparison
)

var (
	getMaterial = &operation{
		name: "getMaterial", access: authenticated, cache: cachePrivate, answer: answerMaterial,
		lists: []string{"include"},
	}
	getMaterials = &operation{
		name: "getMaterials", access: authenticated, cache: cachePrivate, answer: answerMaterials,
		lists: []string{"ids", "include"},
	}
	compareProducts = &operation{
		name: "compareProducts", access: public, cache: cachePublic, answer: answerComparison,
		lists: []string{"id"},
	}
	getPublicMaterial = &operation{
		name: "getPublicMaterial", access: public, cache: cachePublic, answer: answerPublicMaterial,
		singles: []string{"locale"},
	}
)

// answerMaterial answers with the body and the gzip coding that the snapshot contains. Only a body with
// geometry is built for each request.
func answerMaterial(x *exchange) (r representation, p *problem) {
	include := x.params.include()
	if p = x.params.problem(); p != nil {
		return r, p
	}
	d, ok := x.generation.Lookup(x.identifier)
	if !ok {
		return r, errNoProduct
	}
	if include.Geometry {
		x.body = x.generation.AppendDetail(x.body, d, true)
		return representation{body: x.body, hash: x.generation.GeometryETag(d), gzipOnTie: true}, nil
	}
	detail := x.generation.Detail(d)
	return representation{
		body: detail.Body, hash: detail.ETag, gzipOnTie: true, mapped: true, doc: d,
		codings: [numCodings][]byte{gzipped: detail.Gzip},
		sums:    [numCodings]uint32{identity: detail.BodySum, gzipped: detail.GzipSum},
	}, nil
}

func answerMaterials(x *exchange) (r representation, p *problem) {
	ids := x.params.items("ids")
	switch {
	case len(ids) == 0 && len(x.params.faults) == 0: // a fault may be an unknown parameter, a misspelt "ids"
		return r, errNoIDs
	case len(ids) > maxBatch:
		x.params.fault("ids", "got %d identifiers; the maximum is %d", len(ids), maxBatch)
	}
	include := x.params.include()
	if p = x.params.problem(); p != nil {
		return r, p
	}
	docs, missing := resolve(x.generation, ids)
	x.body = appendArray(append(x.body, `{"items":`...), len(docs), func(dst []byte, i int) []byte {
		return x.generation.AppendDetail(dst, docs[i], include.Geometry)
	})
	x.body = appendArray(append(x.body, `,"missing":`...), len(missing), func(dst []byte, i int) []byte {
		return jsonwriter.AppendString(dst, missing[i])
	})
	x.body = append(x.body, '}')
	return representation{body: x.body}, nil
}

// resolve returns the distinct products for the given identifiers, and the distinct identifiers for which
// there is no product, unchanged. Two UUIDs are the same identifier if only their case differs.
func resolve(g *runtime.Generation, ids []string) (docs []column.Doc, missing []string) {
	for i, id := range ids {
		same := func(before string) bool { return before == id || isUUID(id) && strings.EqualFold(before, id) }
		d, ok := g.Lookup(id)
		switch {
		case ok && !slices.Contains(docs, d):
			docs = append(docs, d)
		case !ok && !slices.ContainsFunc(ids[:i], same):
			missing = append(missing, id)
		}
	}
	return docs, missing
}

// compared returns the products of the first maxCompared identifiers and ignores the others.
func (x *exchange) compared() ([]column.Doc, *problem) {
	ids := x.params.items("id")
	if len(ids) == 0 {
		return nil, errNoIDs
	}
	docs, _ := resolve(x.generation, ids[:min(len(ids), maxCompared)])
	return docs, nil
}

func answerComparison(x *exchange) (r representation, p *problem) {
	docs, p := x.compared()
	if p != nil {
		return r, p
	}
	x.body = appendArray(append(x.body, `{"products":`...), len(docs), func(dst []byte, i int) []byte {
		return x.generation.AppendCompare(dst, docs[i])
	})
	x.body = append(x.body, '}')
	return x.hashed(), nil
}

func answerPublicMaterial(x *exchange) (r representation, p *problem) {
	locale := x.params.locale()
	d, ok := x.generation.Lookup(x.identifier)
	switch p = x.params.problem(); {
	case p != nil:
		return r, p
	case !x.server.options.PublicDetail:
		return r, errNeedsKey
	case !ok:
		return r, errNoProduct
	}
	x.body = x.generation.AppendPublicDetail(x.body, d, locale)
	return x.hashed(), nil
}
