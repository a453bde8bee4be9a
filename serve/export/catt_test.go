package export_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sabine/serve/export"
)

// The regular expressions in I-Simpa's reader, unchanged.
var (
	cattHeader = regexp.MustCompile(
		`(.*) = <((( ?[+-]?([0-9]*[.])?[0-9]+) ?)*)>( L )?(<((( ?[+-]?([0-9]*[.])?[0-9]+) ?)*)>)?( \{([0-9]+) ([0-9]+) ([0-9]+)\})?`)
	cattInfo = regexp.MustCompile(`(.*):(.*)`)
)

// A cattMaterial is a material as read by I-Simpa.
type cattMaterial struct {
	name, category, description, reference string
	absorption, scattering                 []float64
}

// readCATT reads a text line by line, like ProjectManager::ImportMaterialCatt in I-Simpa. skipped contains
// the lines that it ignores, except comments.
func readCATT(t testing.TB, text []byte) (list []cattMaterial, skipped []string) {
	t.Helper()
	// empty lines are skipped
	lines := strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' || r == '\r' || r == 0 })
	for len(lines) > 0 {
		line := strings.TrimLeft(lines[0], " \t")
		lines = lines[1:]
		match := cattHeader.FindStringSubmatch(line)
		if match == nil || line[0] == ';' {
			if line != "" && line[0] != ';' {
				skipped = append(skipped, line)
			}
			continue
		}
		m := cattMaterial{name: match[1], absorption: percentages(t, match[2]), scattering: percentages(t, match[8])}
		for done := false; !done && len(lines) > 0; {
			info := cattInfo.FindStringSubmatch(strings.TrimLeft(lines[0], " \t"))
			if info == nil {
				break
			}
			switch info[1] {
			case "C":
				m.category = info[2]
			case "D":
				m.description = info[2]
			case "R":
				m.reference = info[2]
			default:
				done = true
			}
			if !done {
				lines = lines[1:]
			}
		}
		list = append(list, m)
	}
	return list, skipped
}

func percentages(t testing.TB, text string) (values []float64) {
	t.Helper()
	for _, number := range strings.Fields(text) {
		v, err := strconv.ParseFloat(number, 64)
		if err != nil {
			t.Error(err)
		}
		values = append(values, v/100)
	}
	return values
}

func TestTheReaderOfCATTReadsWhatISimpaComesWith(t *testing.T) {
	list,
		skipped := readCATT(t,
		[]byte("panelwalls = < 21 12 9 6 9 13 > L < 15 13 11 9 7 5 >\r\n; a comment\r\nreflectors = < 12 10 4 3 3 2 >\n\n"+
			"UPHOLST_HEAV = <72 79 83 84 83 79> L <30 40 50 60 70 70>\n C:Chairs\n D:Heavily upholstered concert hall chairs, "+
			"average.\n R:[Beranek]\n"))
	if len(list) != 3 || len(skipped) != 0 || len(list[0].scattering) != 6 || list[1].absorption[5] != 0.02 ||
		list[1].scattering != nil ||
		list[2].category != "Chairs" || list[2].reference != "[Beranek]" {
		t.Errorf("%+v, skipped %q", list, skipped)
	}
}

func TestISimpaReadsTheCATTTextThatIsWritten(t *testing.T) {
	for name, inputs := range catalogues(t) {
		g := build(t, inputs...)
		for _, hold := range []bool{false, true} {
			text, notes := written(t, g, export.Options{Format: export.CATT, Hold: hold})
			list, skipped := readCATT(t, text)
			if len(skipped) > 0 {
				t.Errorf("%s: not read: %q", name, skipped)
			}
			if want := iso354(g); len(list)+notes.LeftOut != want {
				t.Errorf("%s: %d materials and %v, want %d entries", name, len(list), notes, want)
			}
			if !strings.HasSuffix(string(text), "\n; "+notes.String()+"\n") {
				t.Errorf("%s: no %v at the end of %q", name, notes, text[max(0, len(text)-100):])
			}
			json, _ := written(t, g, export.Options{Format: export.Pyroomacoustics, Hold: hold})
			table, _, _ := loadPyroomacoustics(t, json)
			seen := map[string]bool{}
			for _, m := range list {
				if key := strings.ToLower(m.name); seen[key] || strings.ContainsAny(m.name, " \t:<>=;") {
					t.Errorf("%s: the name %q", name, m.name)
				} else {
					seen[key] = true
				}
				if len(m.absorption) != 6 || m.scattering != nil {
					t.Errorf("%s: %+v", name, m)
				}
				for i, v := range m.absorption {
					if other, ok := table[m.name]; ok && math.Abs(other.Coeffs[i]-v) > 0.00055+1e-9 {
						t.Errorf("%s: %s has %v, in JSON %v", name, m.name, m.absorption, other.Coeffs)
					}
				}
			}
		}
	}
}

func TestTextsOfCATTStayInTheirLine(t *testing.T) {
	g := build(t, records(t, record{
		"label": "a: b\nwrong = <1 2 3 4 5 6>", "material_category": "C: x\r\n; y", "manufacturer": "\u0085=\t<1>",
		"measurements": absorption(record{"mounting": "D:R:", "alpha_s_octave": octaves(0, 0, 0, 0, 0, 1)}),
	}))
	text, _ := written(t, g, export.Options{Format: export.CATT})
	list, skipped := readCATT(t, text)
	if len(list) != 1 || len(skipped) > 0 || list[0].category != "C; x  ; y" || !strings.HasSuffix(list[0].description,
		"mounting D;R;") {
		t.Errorf("%+v, skipped %q", list, skipped)
	}
}
