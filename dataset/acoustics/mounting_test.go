package acoustics

import "testing"

func TestMountingsHaveOneSpelling(t *testing.T) {
	for want, spellings := range map[string][]string{
		"A": {"A", "Typ A", "Type A", "type a", "TYP A", " A ", "Typ  A", "Typ\u00a0A", "Mounting A", "Mounting Type A",
			"Montage A", "Montageart Typ A"},
		"J": {"J", "Typ J"},
		"E": {"E", "Typ E"},
		"E-200": {
			"E-200", "E200", "E 200", "E - 200", "e-200", "e200", "E‑200", "E–200", "E−200", "Typ E 200", "Typ E200",
			"Typ E-200", "Type E-200",
			"type e 200", "Mounting E-200", "Montageart Typ E 200",
		},
		"E-50":   {"E-50", "Typ E 50"},
		"E-1000": {"E1000"},
		"G-100":  {"G-100", "Typ G 100"},
	} {
		for _, text := range spellings {
			if got := Mounting(text); got != want || Mounting(want) != want {
				t.Errorf("%q: got %q, want %q", text, got, want)
			}
		}
	}
}

func TestOtherTextsAreTheirOwnSpelling(t *testing.T) {
	for _, text := range []string{
		"", " ", "a", "e", "Z", "Typ", "Type ", "Typ N", "Ä", "1", "E-", "E--200", "E-0", "E-050", "E-1", "E1", "Typ E 1",
		"E-12345", "E-400.5", "E-400 mm", "E-400/A",
		"A1", "Typ A1", "A 200", "A-200", "B-50", "J-600", "A, B", "A/B", "A (wall)", "TypA", "TypE200", "Prototyp A",
		"Aufbau A", "Aufbauart E-400", "Variante A",
		"A Typ", "E-Box", "E-Box 200", "ET-200", "E-200-A", "E-200 E-400", "ISO 354 Typ E-400", "wall", "ceiling",
		"free-standing", "an der Wand", "E\n-200x",
	} {
		if got := Mounting(text); got != text {
			t.Errorf("%q: got %q", text, got)
		}
	}
}
