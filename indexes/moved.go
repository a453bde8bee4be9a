package indexes

import "sabine/indexes/docset"

type (
	Dense = docset.Dense
	Scope = docset.Scope
	Set   = docset.Set
)

var (
	DenseWords = docset.Words
	AllDocs    = docset.All
	ListedDocs = docset.Listed
)
