package indexes

import (
	"fmt"

	"sabine/indexes/snapshot"
)

// sectionNames are the sections as reports and messages name them.
var sectionNames = map[snapshot.Kind]string{
	KindMeta:         "meta",
	KindBodies:       "bodies",
	KindBodyOffsets:  "body offsets",
	KindIDs:          "ids",
	KindSlugs:        "slugs",
	KindSetArrays:    "set arrays",
	KindSetBitmaps:   "set bitmaps",
	KindFacets:       "facets",
	KindAlpha:        "alpha_w",
	KindOrders:       "orders",
	KindTerms:        "terms",
	KindPrefixes:     "prefixes",
	KindStems:        "stems",
	KindTermStems:    "term stems",
	KindStemSets:     "stem sets",
	KindPartSets:     "compound part sets",
	KindParts:        "compound parts",
	KindStreams:      "streams",
	KindPairs:        "pairs",
	KindNames:        "names",
	KindMakers:       "makers",
	KindSlugKeys:     "slug keys",
	KindIDKeys:       "id keys",
	KindNameTrigrams: "name trigrams",
	KindTermEnds:     "term ends",
	KindPhrases:      "phrases",
	KindDocNames:     "document names",
}

// NumSections is how many sections a snapshot has.
var NumSections = len(sectionNames)

// FamilyNames are the families as reports and messages name them: the names of their fields in the source.
var FamilyNames = [NumFamilies]string{
	FamilyCategory:     "material_category",
	FamilyCharacter:    "absorption_character",
	FamilyInstallation: "installation_types",
	FamilyManufacturer: "manufacturer",
	FamilyFireClass:    "fire_class",
	FamilyEPD:          "has_epd",
	FamilyPurchasable:  "purchasable",
}

// SectionName returns the name of a kind of section; of one that this program does not know, "section" and its number.
func SectionName(kind snapshot.Kind) string {
	if name, ok := sectionNames[kind]; ok {
		return name
	}
	return fmt.Sprintf("section %d", kind)
}
