package synthetic

import (
	"strconv"
	"strings"
)

var qualifiers = []phrase{
	{"schlank", "slim"}, {"extra dick", "extra thick"}, {"doppellagig", "double-layer"}, {"ballwurfsicher", "ball-impact resistant"},
	{"mit Akustikvlies", "with acoustic fleece"}, {"für Feuchträume", "for humid rooms"}, {"magnetisch", "magnetic"}, {"abwaschbar", "washable"},
	{"mit verdeckter Kante", "with concealed edge"}, {"mit Fase", "bevelled"}, {"für den Objektbau", "for contract use"}, {"im Sonderformat", "in special size"},
	{"in Sonderfarbe", "in special colour"}, {"für Reinräume", "for cleanrooms"}, {"leicht", "lightweight"}, {"nach Maß", "made to measure"},
}

var rooms = []phrase{
	{"Großraumbüros", "open-plan offices"}, {"Klassenzimmer", "classrooms"}, {"Besprechungsräume", "meeting rooms"}, {"Kantinen", "canteens"},
	{"Sporthallen", "sports halls"}, {"Tonstudios", "recording studios"}, {"Foyers", "foyers"}, {"Kindertagesstätten", "day-care centres"},
	{"Arztpraxen", "medical practices"}, {"Probenräume", "rehearsal rooms"}, {"Restaurants", "restaurants"}, {"Museen", "museums"},
	{"Hörsäle", "lecture halls"}, {"Schwimmhallen", "swimming pools"}, {"Heimkinos", "home cinemas"}, {"Treppenhäuser", "stairwells"},
	{"Bibliotheken", "libraries"}, {"Produktionshallen", "production halls"}, {"Gemeindesäle", "parish halls"},
}

var mountings = map[string][]phrase{
	"wall": {
		{"Wird mit Klettpunkten oder Schienen an die Wand gesetzt.", "Fixed to the wall with hook-and-loop pads or rails."},
		{"Wandmontage auf einer Unterkonstruktion aus Latten.", "Wall mounting on battens."},
		{"Lässt sich an die Wand kleben oder schrauben.", "Can be glued or screwed to the wall."},
	},
	"ceiling": {
		{"Hängt an Drahtseilen mit stufenloser Höhe von der Decke.", "Hangs from the ceiling on wires of adjustable length."},
		{"Passt in übliche Deckenraster.", "Fits common ceiling grids."},
		{"Direkt an die Decke geschraubt oder abgehängt.", "Screwed directly to the ceiling or suspended."},
	},
	"free-standing": {
		{"Steht ohne Befestigung auf Füßen oder Rollen.", "Stands on feet or castors without fixing."},
		{"Frei im Raum aufzustellen und leicht umzusetzen.", "Stands anywhere in the room and is easily moved."},
	},
	"floor":  {{"Wird vollflächig auf den Estrich geklebt oder lose verlegt.", "Glued to the screed all over, or loose-laid."}},
	"window": {{"Läuft in einer Schiene vor dem Fenster.", "Runs in a track before the window."}},
}

var effects = map[string]phrase{
	"breitband": {"Absorbiert breitbandig und senkt die Nachhallzeit spürbar.", "Absorbs over a broad range and lowers the reverberation time noticeably."},
	"tiefton":   {"Nimmt tiefe Töne auf und bändigt Raummoden.", "Takes up low frequencies and tames room modes."},
	"mittelton": {"Wirkt am stärksten bei mittleren Frequenzen, wo Sprache liegt.", "Works best at middle frequencies, where speech lies."},
	"hochton":   {"Dämpft vor allem hohe Frequenzen und Flatterechos.", "Damps high frequencies above all, and flutter echoes."},
	"gering":    {"Absorbiert wenig und hält den Raum lebendig.", "Absorbs little and keeps the room lively."},
	"streuend":  {"Streut Schall, ohne ihn zu schlucken, und vermeidet Echos.", "Scatters sound without swallowing it and avoids echoes."},
}

var extras = []phrase{
	{"Kern mit hohem Recyclinganteil, am Ende sortenrein trennbar.", "A core with much recycled content, separable at the end of its life."},
	{"Emissionsarm und für Allergiker geeignet.", "Low in emissions and suitable for people with allergies."},
	{"Auf Wunsch mit bedruckter Oberfläche.", "With printed surface on request."},
	{"Die Kanten sind umlaufend gefasst.", "Edges are framed all round."},
	{"Lieferbar auch in Sonderformaten und freien Formen.", "Also available in special sizes and free shapes."},
	{"Stoßfest, lichtecht und leicht zu reinigen.", "Impact-resistant, lightfast and easy to clean."},
	{"Beleuchtung und Sprinkler lassen sich einbauen.", "Lighting and sprinklers can be built in."},
}

// models name the computation of each family, for structured_meta.
var models = map[family]string{
	porous:          "Poröse Schicht nach Miki (1990), Diffusfeld",
	perforated:      "Lochplatte nach Maa und Rschevkin, Diffusfeld",
	microperforated: "Mikroperforierte Platte nach Maa (1987), Diffusfeld",
	membrane:        "Plattenschwinger als Masse-Feder-System, Diffusfeld",
	residueDiffuser: "Quadratische-Reste-Diffusor nach Schroeder (1979), Fernfeld",
	curvedDiffuser:  "Zylindersegment, Fernfeld nach Cox und D'Antonio",
}

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
		return both("", " "+p.series+" "+millimetres(p.thicknessMM))
	case 3:
		return both(p.series+" ", " "+strconv.Itoa(p.thicknessMM))
	case 4:
		return phrase{p.called.de + " " + p.series + " " + model + " " + p.qualifier.de, p.called.en + " " + p.series + " " + model + " " + p.qualifier.en}
	case 5:
		return phrase{p.series + " " + p.called.de + " " + p.qualifier.de, p.series + " " + p.called.en + " " + p.qualifier.en}
	case 6:
		return both("", " "+p.series+" "+p.article[3:7])
	default:
		return both(p.series+" "+strconv.Itoa(max(p.widthMM, p.heightMM))+" ", "")
	}
}

// commercialName is the label's series with what the brand calls the model.
func (p *invention) commercialName(d *dice) string {
	switch d.below(5) {
	case 0:
		return ""
	case 1:
		return p.series
	case 2:
		return p.series + " " + pick(d, []string{"Plus", "Pro", "Basic", "Line", "Natur", "S", "XL", "2.0"})
	default:
		return p.series + " " + strconv.Itoa(p.thicknessMM) + "/" + strconv.Itoa(max(p.widthMM, p.heightMM))
	}
}

// describe writes a description of a few sentences.
func (p *invention) describe(d *dice) phrase {
	var de, en strings.Builder
	add := func(n phrase) {
		if de.Len() > 0 {
			de.WriteByte(' ')
			en.WriteByte(' ')
		}
		de.WriteString(n.de)
		en.WriteString(n.en)
	}
	size := strconv.Itoa(p.thicknessMM)
	add(phrase{
		p.called.de + " " + p.series + " aus " + p.material.de + ", " + size + " mm tief.",
		p.called.en + " " + p.series + " of " + p.material.en + ", " + size + " mm deep.",
	})
	add(effects[p.character])
	first, second := d.below(len(rooms)), d.below(len(rooms)-1)
	if second >= first {
		second++
	}
	add(phrase{"Gedacht für " + rooms[first].de + " und " + rooms[second].de + ".", "Made for " + rooms[first].en + " and " + rooms[second].en + "."})
	add(pick(d, mountings[p.installations[0]]))
	add(phrase{"Oberfläche: " + p.surface.de + ".", "Surface: " + p.surface.en + "."})
	if d.percent(50) {
		add(pick(d, extras))
	}
	return phrase{de.String(), en.String()}
}
