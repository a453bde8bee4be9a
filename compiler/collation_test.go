package compiler

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"testing"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"pgregory.net/rapid"
)

// collationKey returns the sort key of a label.
func collationKey(tag language.Tag, label string) []byte {
	var keys collate.Buffer
	return newCollator(tag).KeyFromString(&keys, collationText(label))
}

func TestLabelsAreOrderedAsPeopleReadThem(t *testing.T) {
	for _, tag := range []language.Tag{language.German, language.English} {
		for _, tt := range []struct {
			rule   string
			labels []string // labels in the expected order
		}{
			{"digits in numeric order", []string{"Panel 2", "Panel 10", "Panel 100"}},
			{"zero is a number too, and the smallest", []string{"Folie 0,5 mm", "Folie 1,4 mm", "Folie 10 mm"}},
			{"zero before letters and blanks", []string{"Panel 0 mm", "Panel 3 mm", "Panel 1955299069 mm"}},
			{"numbers in a row", []string{"45/0", "45/600", "45/1200", "46/0"}},
			{"leading zeros do not count", []string{"Panel 09", "Panel 10", "Panel 011"}},
			{"digits of any script", []string{"Panel ١", "Panel ２", "Panel ٠٣", "Panel 𝟘𝟜", "Panel 10", "Panel ١١"}},
			{"umlauts next to their vowels", []string{"Arger", "Ärger", "Arges", "Ose", "Öse", "Osf"}},
			{"small letters before capitals, neither before the next letter", []string{"panel", "Panel", "Panele"}},
		} {
			t.Run(fmt.Sprint(tag, ": ", tt.rule), func(t *testing.T) {
				sorted := slices.SortedFunc(slices.Values(tt.labels), func(a, b string) int {
					return bytes.Compare(collationKey(tag, a), collationKey(tag, b))
				})
				if !slices.Equal(sorted, tt.labels) {
					t.Errorf("got %q, want %q", sorted, tt.labels)
				}
			})
		}
	}
}

func TestNumbersInLabelsAreInNumericOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Uint64Range(0, 1<<rapid.IntRange(1, 63).Draw(t, "bits"))
		a, b := number.Draw(t, "a"), number.Draw(t, "b")
		unit := rapid.SampledFrom([]string{"", " mm", ",5", "/600", "a"}).Draw(t, "unit")
		key := func(n uint64) []byte {
			return collationKey(language.German, fmt.Sprintf("Panel %0*d%s", rapid.IntRange(0, 4).Draw(t, "width"), n, unit))
		}
		if got, want := bytes.Compare(key(a), key(b)), cmp.Compare(a, b); got != want {
			t.Errorf("Panel %d%s compared with Panel %d%s: got %d, want %d", a, unit, b, unit, got, want)
		}
	})
}
