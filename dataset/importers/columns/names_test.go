package columns

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sabine/dataset/product"
)

var update = flag.Bool("update", false, "write the list of columns in docs/tables.md anew")

// TestNamesCSV looks for entries without effect: misspelt fields, names for two fields, impossible names.
func TestNamesCSV(t *testing.T) {
	source, err := os.ReadFile("field.go")
	if err != nil {
		t.Fatal(err)
	}
	var fields, named []string
	for _, m := range regexp.MustCompile(`(?m)^\t\w+ +Field = "(\w+)"`).FindAllStringSubmatch(string(source), -1) {
		fields = append(fields, m[1])
	}
	fieldsOf := map[string]Field{}
	for _, row := range namedFields() {
		named = append(named, string(row.field))
		for _, name := range slices.Concat([]string{string(row.field)}, row.german, row.english) {
			header, key := name, keyOf(Fold(name))
			switch {
			case len(key) == 1 && row.field == Frequency:
				header += " [Hz]" // required
			case len(key) == 1:
				header += " [mm]"
			}
			if c := Parse(header); c.Field != row.field || c.Private {
				t.Errorf("a column %q is read as %+v, not as one of %s", header, c, row.field)
			}
			if before := fieldsOf[key]; before != "" {
				t.Errorf("%q is there twice: for %s and for %s", name, before, row.field)
			}
			fieldsOf[key] = row.field
		}
		if row.values == "" || ValuesOf(row.field) == "" || strings.Contains(ValuesOf(row.field), "(") {
			t.Errorf("the values of %s are %q", row.field, row.values)
		}
	}
	slices.Sort(fields)
	slices.Sort(named)
	if !slices.Equal(named, fields) || len(fields) < 50 {
		t.Errorf("the fields of names.csv are %q, want each of field.go once: %q", named, fields)
	}
	if got := ValuesOf("nothing"); got != "" {
		t.Errorf("the values of no field are %q", got)
	}
}

// TestNamesInUse checks names that manufacturers, laboratories, dealers and planners use.
func TestNamesInUse(t *testing.T) {
	tests := []struct {
		field   Field
		headers string
	}{
		{Label, "Plattentyp|Offered product|Modell|Modellbezeichnung|Prüfgegenstand|Specimen|Product (DE)|" +
			"Materialbezeichnung|Absorber|Board|Lining|Muster|Stoff|Dessin|Type name"},
		{Series,
			"Serie|Produktserie|series|range|Kollektion|Product range|Baureihe|Product family|Produktlinie|product line"},
		{CommercialName, "Handelsname|Trade name"},
		{Article, "Herst.-Art.-Nr.|Material-Nr|Stock no.|Katalog-Nr.|Order code|SAP-Nr.|Part No|Artikel-ID|Kennung"},
		{Manufacturer, "Mfr.|Lieferant|Produced by|Hergestellt von|Brand|Fabrikat|Antragsteller|" +
			"Deklarationsinhaber|Supplied by"},
		{Thickness, "Dicke ca. mm|Nom. thickness|Stärke ca. [mm]|Thk (mm)|Probendicke|Panel thk.|D [mm]|Dicke der Platte|" +
			"Board [mm]|Dicke komplett|Nennstärke"},
		{AirGap,
			"Lufthohlraum|Air cavity [mm]|Abh.-Höhe [mm]|Luftspaltdicke|Wall offset (mm)|Depth of cavity|Abstand von der " +
				"Wand|Standoff|" +
				"AIRGAP mm|Void"},
		{OverallDepth, "tKh|tKh [mm]|h tKh|h tKh [mm]|Konstruktionshöhe tKh|Konstruktionshöhe (tKh) [mm]|Aufbauhöhe|" +
			"Konstruktionshöhe|Konstr.-Höhe|construction height|total depth|ODS|o.d.s.|o. d. s. (mm)|Total system depth|" +
			"Overall depth of system (o.d.s.)|Build-up height|System thickness|Gesamtdicke [mm]"},
		{Size, "Länge x Breite|L x B|B x H x T|Abmaße|Modulgröße|Panel dimensions|L × B"},
		{Mounting, "Type of mount|Montagevariante|Mounting (ISO 354)|Einbauart|Mounting configuration|Test mounting"},
		{Source, "PB-Nr.|Berichts-Nr.|Certificate no.|Test reference|Prüfzeugnis|Ref."},
		{Laboratory, "Prüfende Institution|Testing facility|Lab name|Prüflabor|Messstelle"},
		{TestDate, "Messtag|Datum Messung|Date of report|Prüfdatum"},
		{Images, "Produktbild URL|Photo link|Thumbnail|Bild 3"},
		{URL, "Product webpage|Link zum Produkt|Website|Web link"},
		{Description, "LV-Text|Tender text|Langtext|Specification text"},
		{Installation, "Area of use|Einbaubereich|Application|Empfohlene Anwendung"},
		{Updated, "Last update|Stand|Aktualisierungsdatum"},
		{Frequency, "Hz|Frequenzen|1/3 Oct. Band|Band centre|Nominal frequency"},
		{Class, "Absorberklasse|Abs. class|Klasse der Schallabsorption"},
	}
	for _, test := range tests {
		for header := range strings.SplitSeq(test.headers, "|") {
			if c := Parse(header); c.Field != test.field {
				t.Errorf("%q is read as %+v, want %s", header, c, test.field)
			}
		}
	}
}

func TestPrivateNames(t *testing.T) {
	tests := []struct{ rule, headers string }{
		{"prices", "Preis|EK-Preis|Listenpreis netto|VK brutto|Preis pro m²|UVP|RRP|net price|list price|" +
			"unit_price|NetPrice|List|Preisgruppe|VK 2|EK|Staffelpreise|Preisliste 2024|Einkauf|" +
			"Einkaufskonditionen|Netto|MSRP|m2-Preis"},
		{"a unit of money", "€|EUR|Wert [€/m²]|125 €|$ per m2|£|m² in EUR|GBP/m²|CHF|Betrag in Euro"},
		{"discounts", "Rabatt|Rabatt %|Rabattgruppe|Händlerrabatt|discount|Discount (%)|Skonto|dealer discounts|Kondition"},
		{"margins and costs",
			"Marge|margin|Kosten|cost|Kalk.|DB|HK|LEK|Staffel|EP netto|Materialkosten|Handelsspanne|unit cost|Kostenstelle"},
		{"stock",
			"Lagerbestand|Bestand|Lagermenge|stock|qty on hand|inventory|In stock|Stock " +
				"level|Mindestbestand|Lagerort|Lagerware|Reserviert"},
		{"notes",
			"Bemerkung|Notizen|Remarks|Comment|Vermerk QM|intern|Interne Notiz|internal remark|Remarks " +
				"(internal)|confidential|vertraulich|" +
				"Bemerkung intern|INTERN|Notiz (intern)|Do not publish|Not public|Strictly confidential|Interner Vermerk|Checked " +
				"by|Bearbeiter|kommentar_redaktion|Sachbearbeiter|" +
				"Pflegestatus|Notiz Vertrieb|Private|Private Notiz|Seen by|Gesehen von|Do not pass on|" +
				"Bem.|int. Bem.|Office comment|Our preference"},
		{"offers", "Bieter|Bidder"},
		{"what is in brackets after a name", "Bezeichnung (intern)|Dicke (Preisliste)|Hersteller (vertraulich)"},
	}
	for _, test := range tests {
		for header := range strings.SplitSeq(test.headers, "|") {
			if c := Parse(header); c != (Column{Header: header, Private: true}) || c.String() != MapIgnored {
				t.Errorf("%s: %q is read as %+v", test.rule, header, c)
			}
		}
	}
}

func TestNamesThatAreNotPrivate(t *testing.T) {
	tests := []struct{ rule, headers string }{
		{"words that only have such letters", "Feuchtebeständigkeit|Internet|Internetadresse|International|Beständigkeit|" +
			"Feuchtebestaendigkeit|Stockwerk|Europa|Euroclass|Kostengruppe|Preisträger|Bestandteil|Marginal|Lagerung"},
		{"names of fields", "verfügbar|Lieferbar|Stock code|purchasable|Euro-Klasse|available"},
		{"internal parts of a product", "Internal structure|Internal diameter|Internal depth"},
		{"what is neither", "Nettogewicht|Menge|Lieferzeit|Warengruppe|Farbe|MOQ|Status"},
		{"bands", "125 Hz|αs 125 Hz"},
	}
	for _, test := range tests {
		for header := range strings.SplitSeq(test.headers, "|") {
			if c := Parse(header); c.Private {
				t.Errorf("%s: %q is private", test.rule, header)
			}
		}
	}
}

func TestFold(t *testing.T) {
	for text, want := range map[string]string{
		"  Stärke\n[mm]  ": "staerke [mm]", "STA\u0308RKE": "staerke", "αₛ": "alphas", "Δα": "deltaalpha", "dψ": "dpsi",
		"Dicke¹*": "dicke", "⅓": "1/3", "Item #": "item  no", "a – b": "a - b", "2″": `2"`, "Sto\u00ADff": "stoff", "": "",
	} {
		if got := Fold(text); got != want {
			t.Errorf("%q is folded to %q, want %q", text, got, want)
		}
	}
}

const columnsPage = "../../../docs/tables.md"

// The column list in docs/tables.md, between these two lines, is generated from names.csv: go test
// ./dataset/importers/columns -run ColumnsPage -update
const (
	listBegins = "<!-- The list of columns begins: it is generated from names.csv, do not edit it. -->\n"
	listEnds   = "<!-- The list of columns ends. -->\n"
)

func TestColumnsPage(t *testing.T) {
	read, err := os.ReadFile(columnsPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(read), listBegins)
	list, after, ends := strings.Cut(rest, listEnds)
	if !begins || !ends {
		t.Fatalf("%s lacks one of the lines around the list of columns", columnsPage)
	}
	want := columnsList()
	if *update {
		page := before + listBegins + want + listEnds + after
		if err := os.WriteFile(columnsPage, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if list != want {
		t.Errorf("the list of columns in %s differs from names.csv: run this test with -update", columnsPage)
	}
	for q, examples := range quantityExamples {
		for header := range strings.SplitSeq(strings.ReplaceAll(examples, "`", ""), ", ") {
			if c := Parse(header); c.Quantity != q || c.BandHz == 0 {
				t.Errorf("the page lists %q as a band of %s, but it is parsed as %+v", header, q, c)
			}
		}
	}
}

// columnsList returns the tables of fields, of coefficients and of words for columns that are left out.
func columnsList() string {
	var list strings.Builder
	list.WriteString("\n| Field | A cell contains | German names | English names |\n|---|---|---|---|\n")
	for _, row := range namedFields() {
		fmt.Fprintf(&list, "| `%s` | %s | %s | %s |\n", row.field, strings.ReplaceAll(row.values, "|", `\|`),
			strings.Join(row.german, ", "), strings.Join(row.english, ", "))
	}
	list.WriteString("\n| Coefficient | Norm | From | To | Names |\n|---|---|---|---|---|\n")
	for _, q := range Quantities {
		c := Column{BandHz: 125, Quantity: q}
		limit := product.ScatteringLimit
		if q == AlphaS || q == AlphaP {
			limit = product.AbsorptionLimit
		}
		fmt.Fprintf(&list, "| `%s` | %s | %s | %s | %s |\n", c.String(), cmp.Or(q.Norm(), "ISO 11654"),
			FormatNumber(product.MinCoefficient), FormatNumber(limit), quantityExamples[q])
	}
	list.WriteString("\n| Words of columns that are left out |\n|---|\n")
	for _, line := range linesOf("private.txt") {
		fmt.Fprintf(&list, "| %s |\n", line)
	}
	return list.String() + "\n"
}

var quantityExamples = map[Quantity]string{
	AlphaS:                "`αs 125 Hz`, `alpha_s 1k`, `Schallabsorptionsgrad 125 Hz`",
	AlphaP:                "`αp 125 Hz`, `alpha p 125`, `absorption_octave 125 Hz`",
	Scattering:            "`s 125 Hz`, `Streugrad 125 Hz`, `scattering coefficient 125`",
	Diffusion:             "`d 125 Hz`, `Diffusionsgrad 125 Hz`, `diffusion 125`",
	NormalizedDiffusion:   "`d_n 125 Hz`, `normalized diffusion coefficient 125`",
	DirectionalDiffusion:  "`dψ 125 Hz`, `directional diffusion coefficient 125`",
	NormalizedDirectional: "`dψ,n 125 Hz`, `normalized directional diffusion 125`",
}
