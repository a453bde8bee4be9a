package importers

import (
	"os"
	"slices"
	"strings"
	"testing"
)

const isOther = `: only absorption is read from a table; where it is absorption, call the columns "alpha 125 Hz" and so on`

func TestCSVRefusesOtherQuantities(t *testing.T) {
	const file = "the file's name says that the coefficients are of scattering or diffusion" + isOther
	column := func(name string) string {
		return `the column "` + name + `" says that the coefficients are of scattering or diffusion` + isOther
	}
	tests := []struct{ rule, name, table, want string }{
		{"the file's name", "Messung_scattering.csv", "name,brand,125\na,b,0.1\n", "1:1: " + file},
		{"the file's German name", "streugrad 2026.csv", "name,brand,125\na,b,0.1\n", "1:1: " + file},
		{"the file's name with its standard", "ISO17497-1.csv", "name,brand,125\na,b,0.1\n", "1:1: " + file},
		{"a column that names it", "t.csv", "name,brand,Streugrad,125\na,b,,0.1\n", "1:1: " + column("Streugrad")},
		{"a title", "t.csv", "Diffusion coefficients\nname,brand,125\n", "1:1: " + column("Diffusion coefficients")},
		{"frequencies of scattering", "t.csv", "name,brand,s_125,s_250\na,b,0.1,0.2\n", "1:1: " + column("s_125")},
		{"frequencies of diffusion", "t.csv", "name;brand;δ 500 Hz\na;b;0,1\n", "1:1: " + column("δ 500 Hz")},
		{"the full words", "t.csv", "name,brand,scattering coefficient 1k\na,b,0.1\n", "1:1: " + column("scattering coefficient 1k")},
		{"a cell", "t.csv", "name,brand,quantity,125\na,b,scattering,0.1\nc,b,absorption,0.2\n",
			`2:1: "scattering" says that the coefficients are of scattering or diffusion` + isOther},
		{"a cell with the standard", "t.csv", "name,brand,norm,125\na,b,ISO 354,0.1\nc,b,DIN EN ISO 17497-1,0.2\n",
			`3:1: "DIN EN ISO 17497-1" says that the coefficients are of scattering or diffusion` + isOther},
		{"a row's name", "t.csv", "name,brand,125\na (Streugrad),b,0.1\n",
			`2:1: "a (Streugrad)" says that the coefficients are of scattering or diffusion` + isOther},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			_, got := imports(t, CSV, test.table, Options{Name: test.name})
			if want := []string{test.name + ":" + test.want}; !slices.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

func TestCSVTakesAbsorptionOfWhatScatters(t *testing.T) {
	tests := []struct{ rule, name, table string }{
		{"columns that say alpha", "scattering.csv", "name,brand,norm,alpha_125\na,b,ISO 17497-1,0.1\n"},
		{"a file of both", "absorption-scattering.csv", "name,brand,125\na,b,0.1\n"},
		{"diffusers", "diffusoren.csv", "name,brand,125\nScatter Diffusor,b,0.1\n"},
		{"a foil", "t.csv", "name,brand,Eigenschaft,125\na,b,diffusionsoffen,0.1\n"},
		{"a story", "t.csv", "name,brand,remark,125\na,b,Streugrad und Absorptionsgrad sind am selben Muster gemessen worden,0.1\n"},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			products, problems := imports(t, CSV, test.table, Options{Name: test.name})
			if len(products) != 1 || problems != nil {
				t.Errorf("%d products, problems %q", len(products), problems)
			}
		})
	}
}

func TestImportRealScatteringTableIsRefused(t *testing.T) {
	const name = "cox-appendix-d/scattering.csv"
	text, err := os.ReadFile(needRealData(t, name))
	if err != nil {
		t.Fatal(err)
	}
	if products, problems := imports(t, CSV, string(text), Options{Name: name, Manufacturer: "Book"}); len(products) > 0 || len(problems) != 1 {
		t.Errorf("%d products, problems %q", len(products), problems)
	}
}

func TestImportersTellWhatTheyLeaveOut(t *testing.T) {
	const id = `"id":"0b6f0d1e-0000-4000-8000-000000000001"`
	tests := []struct {
		rule  string
		run   Importer
		table string
		want  []string
	}{
		{"nothing", CSV, "name,brand,alpha_125,Dicke\na,b,0.1,5\n", nil},
		{"columns without a field", CSV, "name,brand,125,NRC,31.5 Hz,12500,s_250,Produkt\na,b,0.1,0.5,0.1,0.2,0.3,c\n", []string{
			`t: kept as text in structured_meta, and used for nothing else: "NRC", "31.5 Hz" (no third-octave band from 50 to 10000 Hz), ` +
				`"12500" (no third-octave band from 50 to 10000 Hz), "s_250" (not of absorption), "Produkt" ("name" says the same already)`}},
		{"columns without a name that hold something", CSV, "name,brand,125,,\na,b,0.1,,\na,b,0.1,x,\na,b,0.1,y,\n", []string{
			`t: kept as text in structured_meta under "remark", and used for nothing else: column 4, which has no name`}},
		{"members of a material", Pyroomacoustics,
			`{"version":2,"center_freqs":[125],"absorption":{"S":{"a":{"coeffs":[0.1],"cost":1},"b":{"coeffs":[0.1],"cost":2,"description":7}}}}`,
			[]string{`t: left out, with how often they stand there: "cost" (2), "description" (1), "version" (1)`}},
		{"what a build computes and what stands beside the records", API,
			`{"items":[{` + id + `,"label":"L","manufacturer":"M","nrc":0.5,"saa":null}],"missing":[],"vocabulary":{"material_category":{}}}`,
			[]string{`t: the vocabulary is left out: it takes effect as a file vocabulary.json beside the records`,
				`t: left out, with how often they stand there: "missing" (1), "nrc" (1), "saa" (1)`}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			var notes []string
			products, problems := imports(t, test.run, test.table, Options{Name: "t", Warn: func(note string) { notes = append(notes, note) }})
			if !slices.Equal(notes, test.want) || len(products) == 0 || problems != nil {
				t.Errorf("%d products, problems %q\ngot  %q\nwant %q", len(products), problems, notes, test.want)
			}
		})
	}
}

func TestImportersLeaveOutWhatABuildWouldRefuse(t *testing.T) {
	long := strings.Repeat("a", 1001)
	const tooLong = "label.de: expected a text of at most 1000 bytes, got 1001"
	tests := []struct {
		run         Importer
		table, want string
	}{
		{CSV, "name,brand,125\nA,b,0.1\n" + long + ",b,0.1\n", "t:3:1: " + tooLong},
		{Pyroomacoustics, `{"center_freqs":[125],"absorption":{"S":{"a":{"coeffs":[0.1]},
"b":{"coeffs":[0.1],"description":"` + long + `"}}}}`, "t:2:5: " + tooLong},
	}
	for _, test := range tests {
		products, problems := imports(t, test.run, test.table, Options{Name: "t"})
		if len(products) != 1 || !slices.Equal(problems, []string{test.want}) {
			t.Errorf("%d products, problems %q, want %q", len(products), problems, test.want)
		}
	}
}

func TestImportOfATableWithoutEntriesFails(t *testing.T) {
	for table, run := range map[string]Importer{
		"name,brand,125\n":             CSV,
		"name,brand,125\n\n,,\n":       CSV,
		`{"absorption":{"Walls":{}}}`:  Pyroomacoustics,
		`{"items":[],"missing":["x"]}`: API,
		"[]":                           API,
	} {
		_, problems := imports(t, run, table, Options{Name: "t"})
		if len(problems) != 1 || !strings.HasPrefix(problems[0], "t: no ") {
			t.Errorf("%q: problems %q", table, problems)
		}
	}
}
