package product

import (
	"cmp"
	"slices"
	"strings"
)

// MergeMeta sorts entries of structured_meta by key and value, and joins the distinct values of each key. It
// modifies the given slice.
func MergeMeta(entries []MetaEntry, separator string) []MetaEntry {
	slices.SortFunc(entries, func(a, b MetaEntry) int {
		return cmp.Or(strings.Compare(a.Key, b.Key), strings.Compare(a.Value, b.Value))
	})
	merged := entries[:0]
	for _, e := range slices.Compact(entries) {
		if last := len(merged) - 1; last >= 0 && merged[last].Key == e.Key {
			merged[last].Value += separator + e.Value
		} else {
			merged = append(merged, e)
		}
	}
	return merged
}

// JoinMeta returns entries as one string in ascending order of keys, for example "Farbe: rot; αw: 0.65, MH".
func JoinMeta(entries []MetaEntry) string {
	var b strings.Builder
	for i, e := range MergeMeta(slices.Clone(entries), ", ") {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(e.Key + ": " + e.Value)
	}
	return b.String()
}
