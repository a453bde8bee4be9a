package explorer

import (
	"bytes"
	_ "embed" // for plain.html
	"html/template"
	"sync"
)

// A List is a page of what a search found.
type List struct {
	Total, First   int // how many there are; the number of the first one shown, from 1
	Products       []Product
	Previous, Next string // addresses of the pages beside it; "" for none
}

// A Product is what is said of one without JavaScript.
type Product struct {
	Name, Maker, Category string
	AlphaW                string // "" for none
	Page, JSON            string // addresses
	Site                  string // address of the manufacturer's page, "" for none
	Bands                 []int  // of the columns, in Hz
	Entries               []Entry
}

// An Entry is the curve of a set-up: a value for each of the product's bands, "" where it has none.
type Entry struct {
	Name   string
	Values []string
}

// A Room is a reverberation.
type Room struct {
	Volume   string
	IsRatio  bool // the target is an A/V, and Bands have it in place of times
	Bands    []RoomBand
	Contents []string // surfaces and objects as they were given, and what is needed of products
}

// A RoomBand is a room in an octave; what does not apply is "".
type RoomBand struct {
	Band                                     int // Hz
	Sabine, Eyring, Target, Missing, Reached string
}

// sayings are what stands in a page that is no data: German, English.
var sayings = map[string][2]string{
	"absorption": {"Schallabsorptionsgrad nach ISO 354, in Oktaven",
		"Sound absorption coefficient to ISO 354, in octaves"},
	"catalogue":  {"sabine", "sabine"},
	"comparison": {"Vergleich", "Comparison"},
	"description": {"Absorber und Diffusoren mit ihren Messungen: suchen, vergleichen, Räume berechnen.",
		"Absorbers and diffusers with their measurements: search, compare, compute rooms."},
	"entry":   {"Aufbau", "Set-up"},
	"home":    {"Akustikmaterialien", "Acoustic materials"},
	"lacking": {"Fehlt", "Missing"},
	"lost":    {"Nicht gefunden", "Not found"},
	"missing": {"Dieses Produkt gibt es nicht, oder nicht mehr.", "There is no such product, or no longer."},
	"needed":  {"Gebraucht", "Needed"},
	"next":    {"Weiter", "Next"},
	"plain": {"Ohne JavaScript zeigt diese Seite die Daten in schlichter Form.",
		"Without JavaScript, this page shows the data in plain form."},
	"previous": {"Zurück", "Previous"},
	"products": {"Produkte", "products"},
	"reached":  {"Erreicht", "Reached"},
	"room":     {"Nachhallzeit", "Reverberation time"},
	"room of":  {"Nachhallzeit eines Raums", "A room's reverberation time"},
	"search":   {"Suchen", "Search"},
	"site":     {"Seite des Herstellers", "The manufacturer's page"},
	"target":   {"Soll", "Target"},
}

// Say returns a saying in the language of the page.
func (v *View) Say(key string) string {
	if v.Lang == "en" {
		return sayings[key][1]
	}
	return sayings[key][0]
}

//go:embed plain.html
var plain string

var pieces = sync.OnceValue(func() *template.Template { return template.Must(template.New("plain.html").Parse(plain)) })

// Head returns the rest of the document's head: what search engines and previews of links read.
func (v *View) Head() (template.HTML, error) { return v.piece("head") }

// Plain returns what is to be read where no JavaScript runs.
func (v *View) Plain() (template.HTML, error) { return v.piece("plain") }

func (v *View) piece(name string) (template.HTML, error) {
	var b bytes.Buffer
	err := pieces().ExecuteTemplate(&b, name, v)
	return template.HTML(b.String()), err // which a template has escaped
}
