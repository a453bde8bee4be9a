package table

import (
	"slices"

	"sabine/dataset"
	"sabine/dataset/acoustics"
)

// ratingFields are ratings that a source may declare for each set-up.
var ratingFields = []Field{FieldAlphaW, FieldNRC, FieldSAA, FieldClass, FieldShapeInd}

// holdRatings holds the ratings that rows declare against the coefficients of their own set-ups, where the rows of the product differ. Those
// that the product has are for the build to hold.
func (u *union) holdRatings() {
	if !slices.ContainsFunc(u.topics, func(t *topic) bool { return t.differs && slices.Contains(ratingFields, t.field) }) {
		return
	}
	most := u.mostAbsorptive()
	for i := range u.entries {
		e := &u.entries[i]
		switch ratings := e.ratings(); {
		case ratings.AlphaP == nil:
		case e.parts[0].array == absorption, e.parts[0].array == practical && !e.isMeasured():
			u.holdRatingsOf(e, &ratings, most)
		}
	}
}

// ratings returns what the coefficients of an entry give.
func (e *entry) ratings() acoustics.Ratings {
	if e.parts[0].array == practical {
		r := acoustics.Rate(e.curve(AlphaP, Octave), nil)
		r.NRC = nil // which practical coefficients do not give
		return r
	}
	return acoustics.Rate(e.curve(AlphaS, Octave), e.curve(AlphaS, ThirdOctave))
}

// mostAbsorptive returns the alpha_w that the build computes of the product: the largest of the entries, else that of the practical
// coefficients; nil when there is none.
func (u *union) mostAbsorptive() (most *acoustics.Hundredths) {
	for _, n := range []array{absorption, practical} {
		for i := range u.entries {
			if r := u.entries[i].ratings(); u.entries[i].parts[0].array == n && compareRatings(r.AlphaW, most) > 0 {
				most = r.AlphaW
			}
		}
		if most != nil {
			break
		}
	}
	return most
}

// holdRatingsOf holds the ratings of a set-up, each text once. The build holds the largest alpha_w against the most absorptive set-up.
func (u *union) holdRatingsOf(e *entry, ratings *acoustics.Ratings, most *acoustics.Hundredths) {
	alphaW := parsed(e.text(FieldAlphaW))
	if alphaW == nil && ratings.AlphaW != nil {
		computed := ratings.AlphaW.Float()
		alphaW = &computed
	}
	_, largest := u.extremes(FieldAlphaW)
	var held []cell
	for _, p := range e.parts {
		for _, c := range p.row.cells {
			f := c.topic.field
			sameAsBefore := slices.ContainsFunc(held, func(h cell) bool { return h.topic == c.topic && h.text == c.text })
			ofTheBuild := f == FieldAlphaW && alphaW != nil && *alphaW == largest && compareRatings(ratings.AlphaW, most) == 0
			if !c.topic.differs || !slices.Contains(ratingFields, f) || sameAsBefore || ofTheBuild {
				continue
			}
			held = append(held, c)
			key := c.topic.key
			if f == FieldAlphaW {
				key = string(f)
			}
			if doubt := dataset.RatingDoubt(key, c.text, ratings, alphaW); doubt != "" {
				u.warning(p.row.place(c.number), c.header, doubt)
			}
		}
	}
}

// text returns what the first row of an entry that speaks of a field says of it.
func (e *entry) text(f Field) string {
	for _, p := range e.parts {
		for i := range p.row.cells {
			if p.row.cells[i].topic.field == f {
				return p.row.cells[i].text
			}
		}
	}
	return ""
}
