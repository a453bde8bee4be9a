package columns

import "testing"

func TestWordsForASetUp(t *testing.T) {
	tests := []struct {
		rule, text string
		want       Setup
	}{
		{"thickness, air gap and mounting", "16 mm Paneel + 184 mm Luftraum, Typ E-200",
			Setup{Mounting: "E-200", Thickness: "16 mm", AirGap: "184 mm", NamesThickness: true}},
		{"in English", "PET 9 mm with 50 mm air space, type A", Setup{Mounting: "A", Thickness: "9 mm", AirGap: "50 mm"}},
		{"only a mounting", "Mounting A", Setup{Mounting: "A"}},
		{"the length of a mounting", "100 mm (Typ G-100)", Setup{Mounting: "G-100"}},
		{"the length of a mounting in cm", "Typ E-400, 40 cm", Setup{Mounting: "E-400"}},
		{"a mounting after a longer word", "ISO 354, Montagetyp A", Setup{Mounting: "A"}},
		{"a mounting before its word", "ASTM C423, A mounting", Setup{Mounting: "A"}},
		{"an air gap in the words before its length", "Abgehängt, 200 mm", Setup{AirGap: "200 mm"}},
		{"an air gap after what is in front of it", "20 mm panel in front of 100 mm air gap",
			Setup{Thickness: "20 mm", AirGap: "100 mm", NamesThickness: true}},
		{"in German", "20 mm vor 100 mm Luft", Setup{Thickness: "20 mm", AirGap: "100 mm"}},
		{"empty battens are an air gap", "auf 60 mm Lattung, Hohlraum leer", Setup{AirGap: "60 mm"}},
		{"filled ones are none", "auf 60 mm Lattung, Mineralwolle 40 mm", Setup{}},
		{"a word that has another within", "Flachsplatte 40 mm", Setup{Thickness: "40 mm", NamesThickness: true}},
		{"a length without other words", "Typ E-400, 400 mm", Setup{Mounting: "E-400"}},
		{"in front of the wall", "Vorhang, 150 mm vor der Wand", Setup{AirGap: "150 mm"}},
		{"a length of an edge or an axis", "Baffel 50 mm, Achsabstand 300 mm, Länge 1200 mm",
			Setup{Thickness: "50 mm", NamesThickness: true}},
		{"none", "direkt an der Wand, ohne Luftspalt", Setup{AirGap: "0 mm"}},
		{"none in English", "fixed to the wall, no air gap", Setup{AirGap: "0 mm"}},
		{"none and another one are unclear", "ohne Luftspalt, 20 mm Luft", Setup{}},
		{"the length of a mounting before it", "20 mm, Typ E-20", Setup{Mounting: "E-20"}},
		{"a thickness as long as its mounting", "Typ E-20, 20 mm Platte", Setup{Mounting: "E-20", Thickness: "20 mm",
			NamesThickness: true}},
		{"hung from the ceiling", "Platte 20 mm, Abhängung 200 mm", Setup{Thickness: "20 mm", AirGap: "200 mm", NamesThickness: true}},
		{"a height or a diameter is none", "Paneel 20 mm, Höhe 600 mm, Durchmesser 80 mm",
			Setup{Thickness: "20 mm", NamesThickness: true}},
		{"a letter without a word is no mounting", "Wand A", Setup{}},
		{"a code within another is no mounting", "Fjord-E-400-W", Setup{}},
		{"two mountings are none", "Typ A oder Typ B", Setup{}},
		{"one mounting twice", "Typ A, Typ A", Setup{Mounting: "A"}},
		{"an overall depth", "overall depth 400 mm, 20 mm tile", Setup{Thickness: "20 mm", OverallDepth: "400 mm",
			NamesThickness: true}},
		{"no air gap", "ohne Abstand (0 mm)", Setup{AirGap: "0 mm"}},
		{"a distance from the ceiling", "Deckensegel 40 mm, 300 mm abgehängt", Setup{Thickness: "40 mm", AirGap: "300 mm",
			NamesThickness: true}},
		{"a board's name calls it so too", "Gipsplatten 12,5 mm", Setup{Thickness: "12,5 mm", NamesThickness: true}},
		{"but not one of its sides", "Gipsplatten 600 mm breit", Setup{}},
		{"words that call the thickness so", "Dicke 20 mm", Setup{Thickness: "20 mm", NamesThickness: true}},
		{"centimetres and decimals", "12,5 cm Gipskarton", Setup{Thickness: "12,5 cm"}},
		{"a filling is no thickness", "20 mm panel, 50 mm mineral wool, 130 mm air gap",
			Setup{Thickness: "20 mm", AirGap: "130 mm", NamesThickness: true}},
		{"also alone", "50 mm Mineralwolle", Setup{}},
		{"a panel of it is one", "25 mm Glaswolle-Absorber", Setup{Thickness: "25 mm", NamesThickness: true}},
		{"two thicknesses are none", "20 mm und 30 mm", Setup{}},
		{"two air gaps are none", "20 mm Luft + 30 mm Luft", Setup{}},
		{"a size is none", "600 x 600 x 20 mm", Setup{}},
		{"a range is none", "20-40 mm", Setup{}},
		{"a tolerance or a bound is none", "40 mm ± 2 mm|≥ 20 mm", Setup{}},
		{"holes, joints and edges are none", "Lochung 8 mm, Kante 5 mm, 6 mm Fugenbreite", Setup{}},
		{"no length", "direkt auf der Wand, Fjord 40", Setup{}},
	}
	for _, test := range tests {
		if got := ParseSetup(test.text); got != test.want {
			t.Errorf("%s: %s: got %+v, want %+v", test.rule, test.text, got, test.want)
		}
	}
}
