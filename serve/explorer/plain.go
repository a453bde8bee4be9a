package explorer

import (
	"bytes"
	_ "embed" // for plain.html
	"html/template"
	"sync"
)

// A List is a page of search results.
type List struct {
	Found          string // text with the number of products
	First          int    // number of the first product on the page, starting at 1
	Invented       bool   // whether the products are fictitious samples
	Products       []Product
	Previous, Next string // addresses of the adjacent pages, or ""
}

// A Product contains the data of a product on pages without JavaScript.
type Product struct {
	Name, Maker, Category string
	AlphaW                string // alpha_w with its shape letters, or ""
	Unrated               string // the word "no", shown instead of an empty AlphaW
	Description           string // description; "" if there is none or details need a key
	Page, JSON            string // addresses of the product's page and of its JSON
	Site                  string // address of the manufacturer's page, or ""
	Bands                 []int  // bands of the table columns in Hz
	Entries               []Entry
}

// An Entry is the curve of a set-up. It has a value for each of the product's bands.
type Entry struct {
	Name   string
	Values []string
}

// A Room is a room with its reverberation.
type Room struct {
	Volume   string
	IsJudged bool // whether Bands contain verdicts, because the room has a target and surfaces
	IsRatio  bool // whether the target is an A/V, so that Bands contain ratios instead of times
	Bands    []RoomBand
	Contents []string // names and amounts of surfaces and objects, and the required areas of products
}

// A RoomBand describes a room in an octave. Fields that do not apply are "".
type RoomBand struct {
	Band                                              int // centre frequency in Hz
	Sabine, Eyring, Target, Missing, Reached, Verdict string
}

// texts contains the fixed texts of pages, in German and in English.
var texts = map[string][2]string{
	"absorption": {"Schallabsorptionsgrad nach ISO 354, in Oktaven",
		"Sound absorption coefficient to ISO 354, in octaves"},
	"comparison": {"Vergleich", "Compare"},
	"description": {
		"Absorber und Diffusoren nach ihren akustischen Daten finden, Kurven vergleichen und die Nachhallzeit von Räumen " +
			"berechnen.",
		"Find sound absorbers and diffusers by their acoustic data, compare their curves, and calculate the " +
			"reverberation time of rooms."},
	"entry": {"Aufbau", "Set-up"},
	"gap":   {"Luftspalt", "air gap"},
	"home":  {"Akustikmaterialien", "Acoustic materials"},
	"invented": {
		"Dies ist ein Beispielkatalog: Hersteller und Produkte sind erfunden, nur die Literaturwerte sind echt.",
		"This is a sample: its manufacturers and their products are invented, only the literature values are real."},
	"lacking": {"Fehlt", "Missing"},
	"lost":    {"Nicht gefunden", "Not found"},
	"missing": {"Unter dieser Adresse gibt es kein Produkt. Vielleicht wurde es zurückgezogen, oder der Link enthält " +
		"einen Tippfehler.",
		"There is no product at this address. It may have been withdrawn, or the link has a typing error."},
	"needed":      {"Gebraucht", "Needed"},
	"next":        {"Weiter", "Next"},
	"no":          {"kein", "no"},
	"none chosen": {"Noch keine Produkte ausgewählt.", "No products selected yet."},
	"no gap":      {"ohne Luftspalt", "no air gap"},
	"no room": {"Für die Berechnung fehlt noch: das Volumen, dazu Flächen oder ein Soll.",
		"Still needed for the calculation: the volume, and surfaces or a target."},
	"nowhere": {"Unter dieser Adresse gibt es keine Seite.", "There is no page at this address."},
	"octave":  {"Oktave", "Octave"},
	"own":     {"Eigene Schallabsorptionsgrade", "Own absorption coefficients"},
	"plain": {"Ohne JavaScript zeigt diese Seite die Daten als Tabellen, ohne Diagramme und Filter.",
		"Without JavaScript, this page shows the data as tables, without charts and filters."},
	"previous": {"Zurück", "Previous"},
	"product":  {"Produkt", "product"},
	"products": {"Produkte", "products"},
	"ratio":    {"Absorption bezogen auf das Volumen", "Absorption area per volume"},
	"reached":  {"Erreicht", "Reached"},
	"room":     {"Nachhallzeit", "Reverberation time"},
	"room of":  {"Raum", "Room"},
	"search":   {"Suchen", "Search"},
	"site":     {"Seite des Herstellers", "Manufacturer's page"},
	"target":   {"Soll", "Target"},
	"type":     {"Typ", "Type"},
	"verdict":  {"Urteil", "Verdict"},

	"within":        {"in der Toleranz", "within tolerance"},
	"long":          {"zu lang", "too long"},
	"short":         {"zu kurz", "too short"},
	"enough":        {"genug", "enough"},
	"too little":    {"zu wenig", "too little"},
	"not counted":   {"zählt nicht mit: Das Soll gilt für den leeren Raum", "not counted: the target is for the empty room"},
	"middle":        {"nur 250 bis 2000 Hz", "250 to 2000 Hz only"},
	"still_long":    {"keine Fläche genügt", "no area is enough"},
	"already_short": {"ohne das Produkt schon zu kurz", "too short without it already"},
	"uneven":        {"keine Fläche passt in allen Oktaven", "no area fits in all octave bands"},
}

// Say returns a text in the page's language.
func (v *View) Say(key string) string {
	if v.Lang == "en" {
		return texts[key][1]
	}
	return texts[key][0]
}

//go:embed plain.html
var plain string

var fragments = sync.OnceValue(func() *template.Template { return template.Must(template.New("plain.html").Parse(plain)) })

// Head returns the elements for search engines and link previews in the head of the document.
func (v *View) Head() (template.HTML, error) { return v.fragment("head") }

// Plain returns the content for browsers without JavaScript.
func (v *View) Plain() (template.HTML, error) { return v.fragment("plain") }

func (v *View) fragment(name string) (template.HTML, error) {
	var b bytes.Buffer
	err := fragments().ExecuteTemplate(&b, name, v)
	return template.HTML(b.String()), err // the template has escaped it
}
