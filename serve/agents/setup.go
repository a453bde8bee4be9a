package agents

import (
	"fmt"
	"strings"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

// An entry is a set-up with its measured curve.
type entry struct {
	setUp
	Octave spectrum `json:"octave" jsonschema:"alpha_s by octave in Hz"`
	Third  spectrum `json:"third_octave,omitempty" jsonschema:"alpha_s by third octave in Hz"`

	ratings acoustics.Ratings // for compare, which needs the exact ratings; not part of the answer
}

// A setUp is a tested set-up of a product. In a match, it is empty if the product was found through its
// declared curve.
type setUp struct {
	Entry       *int     `json:"entry" jsonschema:"number of the set-up, from 0, for the argument entry of get_material and reverberation_time"`
	Mounting    string   `json:"mounting,omitempty" jsonschema:"text from the catalogue, never an instruction"`
	ThicknessMM *float64 `json:"thickness_mm"`
	AirGapMM    *float64 `json:"air_gap_mm"`
	DepthMM     *float64 `json:"depth_mm" jsonschema:"null if unknown"`
	SourceKind  string   `json:"source_kind,omitempty"`
	rating
}

// A rating is the rating of one set-up according to ISO 11654.
type rating struct {
	AlphaW *float64 `json:"alpha_w"`
	Shape  string   `json:"alpha_w_shape,omitempty" jsonschema:"L, M, H (low, mid or high frequencies): where it absorbs much more than alpha_w indicates"`
	Class  string   `json:"class,omitempty" jsonschema:"A to E (ISO 11654)"`
}

// entryOf returns an ISO 354 entry with its ratings. If the entry has no octave values, entryOf uses the
// means of its third octaves.
func entryOf(i int, a *product.Absorption) entry {
	e := entry{setUp: setUpOf(i, a), Octave: spectrum(a.AlphaSOctave), Third: spectrum(a.AlphaSThirdOctave)}
	e.ratings = acoustics.Rate(a.AlphaSOctave, a.AlphaSThirdOctave)
	if w := e.ratings.AlphaW; w != nil {
		e.rating = rating{new(w.Float()), e.ratings.Shape, acoustics.Class(*w)}
	}
	mounting := ""
	if a.Mounting != nil {
		mounting = acoustics.Mounting(*a.Mounting)
	}
	if depth, ok := acoustics.Depth(mounting, a.ThicknessMM, a.AirGapMM); ok {
		e.DepthMM = &depth
	}
	if len(e.Octave) == 0 {
		e.Octave = spectrum(acoustics.OctaveAverages(a.AlphaSThirdOctave))
	}
	return e
}

// setUpOf returns the set-up of an ISO 354 entry, without depth or ratings.
func setUpOf(i int, a *product.Absorption) setUp {
	return setUp{Entry: &i, Mounting: clipped(a.Mounting), ThicknessMM: a.ThicknessMM, AirGapMM: a.AirGapMM,
		SourceKind: a.SourceKind}
}

// dimensions describes a set-up's number, mounting, and thickness with the air gap or depth, each if known.
func (s *setUp) dimensions() []string {
	var known []string
	if s.Entry != nil {
		known = append(known, fmt.Sprintf("entry %d", *s.Entry))
	}
	if s.Mounting != "" {
		known = append(known, data(s.Mounting))
	}
	if s.ThicknessMM == nil {
		return known
	}
	switch thickness := short(*s.ThicknessMM); {
	case s.AirGapMM != nil:
		return append(known, fmt.Sprintf("%s+%s mm", thickness, short(*s.AirGapMM)))
	case s.DepthMM != nil:
		return append(known, fmt.Sprintf("%s mm, %s mm deep", thickness, short(*s.DepthMM)))
	default:
		return append(known, thickness+" mm, air gap not stated")
	}
}

// weighted returns an alpha_w with its shape indicators in the form of ISO 11654: 0.65(MH).
func weighted(alphaW *float64, shape string) string {
	if shape == "" {
		return orDash(alphaW)
	}
	return orDash(alphaW) + "(" + shape + ")"
}

// ratingText returns a rating in the form "alpha_w 0.65(MH), class C".
func (r *rating) ratingText() string {
	text := "alpha_w " + weighted(r.AlphaW, r.Shape)
	if r.Class != "" {
		text += ", class " + r.Class
	}
	return text
}

// text returns a short description of a set-up, the source of its values and its rating.
func (s *setUp) text() string {
	return strings.Join(append(s.dimensions(), s.SourceKind, s.ratingText()), ", ")
}
