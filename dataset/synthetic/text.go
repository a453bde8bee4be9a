package synthetic

import "strconv"

// labelWords returns what the names in phrases stand for, up to those of a description.
func (p *invention) labelWords(called, qualifier phrase) map[string]phrase {
	same := func(text string) phrase { return phrase{text, text} }
	thickness, length := strconv.Itoa(p.thicknessMM), strconv.Itoa(max(p.widthMM, p.heightMM))
	return map[string]phrase{
		"kind": called, "series": same(p.series), "qualifier": qualifier, "material": p.material.Name, "surface": p.surface,
		"thickness": same(thickness), "length": same(length), "model": same(thickness + "/" + length), "number": same(p.article[3:7]),
	}
}

// commercialName is the label's series with what the brand calls the model, or nil.
func (p *invention) commercialName(d *dice) *string {
	switch d.below(5) {
	case 0:
		return nil
	case 1:
		return &p.series
	case 2:
		return new(p.series + " " + pick(d, tables().Grades))
	default:
		return new(p.series + " " + p.words["model"].de)
	}
}

// describe writes a description of a few sentences.
func (p *invention) describe(d *dice) phrase {
	rooms := tables().Rooms
	first, second := d.below(len(rooms)), d.below(len(rooms)-1)
	if second >= first {
		second++
	}
	p.words["room"], p.words["other room"] = rooms[first], rooms[second]
	p.words["effect"] = tables().Effects[p.character]
	p.words["mounting"] = pick(d, tables().Mountings[p.installations[0]])
	text := tables().Description.fill(p.words)
	if d.percent(50) {
		extra := pick(d, tables().Extras)
		text = phrase{text.de + " " + extra.de, text.en + " " + extra.en}
	}
	return text
}
