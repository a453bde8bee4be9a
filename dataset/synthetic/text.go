package synthetic

import "strconv"

// inventLabel joins kind, series and a size or quality in one of the ways in which manufacturers do.
func (p *invention) inventLabel(d *dice) phrase {
	model := strconv.Itoa(p.thicknessMM) + "/" + strconv.Itoa(max(p.widthMM, p.heightMM))
	both := func(before, after string) phrase {
		return phrase{before + p.called.de + after, before + p.called.en + after}
	}
	switch d.below(8) {
	case 0, 1:
		return both("", " "+p.series+" "+model)
	case 2:
		return both("", " "+p.series+" "+strconv.Itoa(p.thicknessMM)+" mm")
	case 3:
		return both(p.series+" ", " "+strconv.Itoa(p.thicknessMM))
	case 4:
		return both("", " "+p.series+" "+model).and(p.qualifier)
	case 5:
		return both(p.series+" ", "").and(p.qualifier)
	case 6:
		return both("", " "+p.series+" "+p.article[3:7])
	default:
		return both(p.series+" "+strconv.Itoa(max(p.widthMM, p.heightMM))+" ", "")
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
		return new(p.series + " " + pick(d, []string{"Plus", "Pro", "Basic", "Line", "Natur", "S", "XL", "2.0"}))
	default:
		return new(p.series + " " + strconv.Itoa(p.thicknessMM) + "/" + strconv.Itoa(max(p.widthMM, p.heightMM)))
	}
}

// describe writes a description of a few sentences.
func (p *invention) describe(d *dice) phrase {
	size := strconv.Itoa(p.thicknessMM)
	rooms := phrases()["rooms"]
	first, second := d.below(len(rooms)), d.below(len(rooms)-1)
	if second >= first {
		second++
	}
	opening := phrase{
		p.called.de + " " + p.series + " aus " + p.material.de + ", " + size + " mm tief.",
		p.called.en + " " + p.series + " of " + p.material.en + ", " + size + " mm deep.",
	}
	more := []phrase{
		phrases()["effect: "+p.character][0],
		{"Gedacht für " + rooms[first].de + " und " + rooms[second].de + ".", "Made for " + rooms[first].en + " and " + rooms[second].en + "."},
		pick(d, phrases()["mounting: "+p.installations[0]]),
		{"Oberfläche: " + p.surface.de + ".", "Surface: " + p.surface.en + "."},
	}
	if d.percent(50) {
		more = append(more, pick(d, phrases()["extras"]))
	}
	return opening.and(more...)
}
