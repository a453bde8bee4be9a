package serve

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

func TestRepeatedValuesAreNoCommaLists(t *testing.T) {
	var p params
	if err := p.parse("surface=a,b&surface=+c+&surface=&surface=+&other=x&surface=a,b"); err != nil {
		t.Fatal(err)
	}
	if got := p.repeated("surface"); !slices.Equal(got, []string{"a,b", "c", "a,b"}) {
		t.Errorf("got %q", got)
	}
}

func TestThreeDecimalsAreShown(t *testing.T) {
	for v, want := range map[float64]float64{
		0: 0, 1.2344: 1.234, 1.2346: 1.235, -0.0004: 0, -1.2346: -1.235, 1e300: 1e300, 1 << 41: 1 << 41,
		123456789.98765: 123456789.988,
	} {
		if got := acoustics.Rounded(v); got != want {
			t.Errorf("%v is shown as %v, want %v", v, got, want)
		}
	}
}

// FuzzSurface checks that accepted surfaces have an area and coefficients in range, and that formatting and
// reading a surface returns the same surface.
func FuzzSurface(f *testing.F) {
	for _, seed := range []string{
		"panel:30", "panel@0:30", "panel@a:b@c:1e3", "10000000-0000-4000-8000-00000000000a@x:0.5",
		"125:0.02,250:0.03,500:0.03,1000:0.04,2000:0.05,4000:0.05:154",
		"63:1,125:0,250:-0.1,500:2,1000:1e-9,2000:0,4000:0,8000:0:1", ":", "::", ":1", "a:", "a:0", "a:-1", "a:1e999",
		"a:5e-324", "a:NaN", "125:0.1,125:0.1:3", "160:1:1", ",:,:1", "@:1", "@@:1", "\xff:1", "a:1,5",
	} {
		f.Add(seed)
	}
	var curve acoustics.Curve
	for _, hz := range acoustics.RoomBands {
		curve = append(curve, acoustics.Point{BandHz: hz, Value: 0.5})
	}
	entries := []product.Entry{{Index: 0, ID: "1", Octave: curve}, {Index: 1, ID: "a:b@c", Octave: curve}, {Index: -1, Octave: curve}}
	f.Fuzz(func(t *testing.T, text string) {
		what, area, err := parseSurface(text)
		if err != nil {
			if utf8.ValidString(text) && !utf8.ValidString(err.Error()) {
				t.Errorf("%q: the message %q is not UTF-8", text, err)
			}
			return
		}
		if what == "" || !(area > 0 && area <= maxExtent) || !strings.HasPrefix(strings.TrimSpace(text), what) {
			t.Errorf("%q: got %q with %v m²", text, what, area)
		}
		c, err := parseLiteral(what)
		if err == nil {
			var again []string
			for i, hz := range acoustics.RoomBands {
				if !(c[i] >= product.MinCoefficient && c[i] <= product.AbsorptionLimit) || math.IsNaN(c[i]) {
					t.Errorf("%q: %v at %d Hz", text, c[i], hz)
				}
				again = append(again, strconv.Itoa(hz)+":"+strconv.FormatFloat(c[i], 'f', -1, 64))
			}
			if got, err := parseLiteral(strings.Join(again, ",")); err != nil || got != c {
				t.Errorf("%q: %v, written again %v, %v", text, c, got, err)
			}
		}
		_, name, _ := strings.Cut(what, "@")
		if i, _, err := namedEntry(slices.Clone(entries), name); err == nil &&
			(i < 0 || entries[i].ID != name && strconv.Itoa(i) != name) {
			t.Errorf("%q: found entry %d", text, i)
		}
	})
}
