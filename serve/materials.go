package serve

import (
	"slices"
	"strings"
)

const (
	// maxBatch is how many identifiers a batch may name.
	maxBatch = 50
	// maxCompared is how many identifiers a comparison uses.
	maxCompared = 4
)

func readMaterialSearch(x *exchange) *problem {
	x.search = x.params.readSearch(x.generation)
	return x.params.problem()
}

func answerMaterialSearch(x *exchange) representation {
	x.body = appendSearch(x.body, x.generation, &x.search)
	return representation{body: x.body}
}

func readMaterial(x *exchange) *problem {
	x.search.include = x.params.include()
	return x.params.problem()
}

func findMaterial(x *exchange) *problem {
	d, ok := x.generation.Lookup(x.target)
	if !ok {
		return errNoProduct
	}
	x.docs = append(x.docs, d)
	return nil
}

// answerMaterial answers with what the build has made, as far as it has: it does not make the body with geometry.
func answerMaterial(x *exchange) representation {
	d := x.docs[0]
	if x.search.include.Geometry {
		x.body = x.generation.AppendDetail(x.body, d, true)
		return representation{body: x.body, hash: x.generation.GeometryETag(d), gzipOnTie: true}
	}
	detail := x.generation.Detail(d)
	return representation{
		body: detail.Body, hash: detail.ETag, gzipOnTie: true, mapped: true,
		codings: [numCodings][]byte{gzipped: detail.Gzip},
		sums:    [numCodings]uint32{identity: detail.BodySum, gzipped: detail.GzipSum},
	}
}

func readMaterials(x *exchange) *problem {
	ids := x.params.items("ids")
	switch {
	case len(ids) == 0 && len(x.params.faults) == 0: // else their name may be misspelt
		return errNoIDs
	case len(ids) > maxBatch:
		x.params.fault("ids", "%d identifiers are given; at most %d are fetched at once", len(ids), maxBatch)
	}
	x.search.include = x.params.include()
	if p := x.params.problem(); p != nil {
		return p
	}
	x.resolve(ids)
	return nil
}

// resolve looks identifiers up, each product once, and keeps those that name none, each once, as they were spelled.
func (x *exchange) resolve(ids []string) {
	for i, id := range ids {
		d, ok := x.generation.Lookup(id)
		switch {
		case ok && !slices.Contains(x.docs, d):
			x.docs = append(x.docs, d)
		case !ok && !slices.ContainsFunc(ids[:i], func(before string) bool { return sameIdentifier(before, id) }):
			x.missing = append(x.missing, id)
		}
	}
}

// sameIdentifier reports whether two texts are one identifier, as UUIDs in any case are.
func sameIdentifier(a, b string) bool { return a == b || isUUID(a) && strings.EqualFold(a, b) }

func answerMaterials(x *exchange) representation {
	x.body = append(x.body, `{"items":`...)
	x.body = appendArray(x.body, len(x.docs), func(dst []byte, i int) []byte {
		return x.generation.AppendDetail(dst, x.docs[i], x.search.include.Geometry)
	})
	x.body = appendStrings(append(x.body, `,"missing":`...), x.missing)
	x.body = append(x.body, '}')
	return representation{body: x.body}
}

func readProductSearch(x *exchange) *problem {
	x.search = x.params.readPublicSearch(x.generation)
	return x.params.problem()
}

func answerProductSearch(x *exchange) representation {
	x.body = appendPublicSearch(x.body, x.generation, &x.search)
	return representation{body: x.body, hash: hashOf(x.body)}
}

// readComparison takes the first identifiers and drops the others, whatever they are.
func readComparison(x *exchange) *problem {
	ids := x.params.items("id")
	if len(ids) == 0 {
		return errNoIDs
	}
	x.resolve(ids[:min(len(ids), maxCompared)])
	return nil
}

func answerComparison(x *exchange) representation {
	x.body = append(x.body, `{"products":`...)
	x.body = appendArray(x.body, len(x.docs), func(dst []byte, i int) []byte {
		return x.generation.AppendCompare(dst, x.docs[i])
	})
	x.body = append(x.body, '}')
	return representation{body: x.body, hash: hashOf(x.body)}
}

func readPublicMaterial(x *exchange) *problem {
	x.search.Locale = x.params.locale()
	return x.params.problem()
}

func findPublicMaterial(x *exchange) *problem {
	if !x.server.publicDetail {
		return errNeedsKey
	}
	return findMaterial(x)
}

func answerPublicMaterial(x *exchange) representation {
	x.body = x.generation.AppendPublicDetail(x.body, x.docs[0], x.search.Locale)
	return representation{body: x.body, hash: hashOf(x.body)}
}

func answerDescription(x *exchange) representation { return x.server.description }
