package dataset

import "strings"

// containerFields are the members that a container has for us.
var containerFields = []string{"products", "items", "vocabulary"}

// fieldsAt are the names that the parser knows, by the path of the object in which they stand. An unknown field that
// stands at "" may be one of a record or of a container: the two are counted together.
var fieldsAt = map[string][]string{
	"":                         append(recordFields[:len(recordFields):len(recordFields)], containerFields...),
	"manufacturer":             manufacturerFields,
	"images":                   imageFields,
	"geometry":                 geometryFields,
	"geometry.bounding_box_mm": boxFields,
	"geometry.size_variants":   sizeVariantFields,
	"measurements":             measurementFields,
	"measurements." + absorptionStandard.array: absorptionFields,
	"measurements." + scatterStandard.array:    scatterFields,
	"measurements." + diffusionStandard.array:  diffusionFields,
}

// NearestField returns the known field at its level that an unknown field of Parsed.Unknown or Reader.Unknown was
// probably meant to be, as its name without the path; "" when none is near.
func NearestField(path string) string {
	parent, name := "", path
	for at := range fieldsAt {
		if rest, ok := strings.CutPrefix(path, at); ok && at != "" && len(at) > len(parent) && rest != "" && strings.ContainsAny(rest[:1], ".[") {
			parent, name = at, rest
		}
	}
	letters := []rune(plainFieldName(name))
	nearest, least := "", len(letters)+1
	for _, known := range fieldsAt[parent] {
		plain := []rune(plainFieldName(known))
		d := editDistance(letters, plain)
		if most := max(len(letters), len(plain)) / 3; d <= most && d < least { // one letter in three may be wrong
			nearest, least = known, d
		}
	}
	return nearest
}

// plainFieldName drops what is a matter of taste: capitals, and what parts words. Nobody types a name longer than
// maxQuoted by accident.
func plainFieldName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`_-. []"`, r) {
			return -1
		}
		return r
	}, strings.ToLower(shortened(name)))
}

// editDistance counts insertions, deletions, replacements and swaps of neighbours that make one word of the other.
func editDistance(a, b []rune) int {
	beforeThat, before, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		beforeThat, before, row = before, row, beforeThat
		row[0] = i + 1
		for j := range b {
			replace := before[j]
			if a[i] != b[j] {
				replace++
			}
			row[j+1] = min(replace, before[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], beforeThat[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
