package compiler

import (
	"testing"

	"sabine/indexes/analysis"
)

func TestValuesOfOnlyNumbers(t *testing.T) {
	for _, value := range []string{
		"15", "12,5 mm", "1.200,50 kg", "–5 °C", "½", "1/2 Zoll", "24/7", "600 / 150", "200–400 mm; 0", "ca. 5", "max. 5 mm",
		"von 5 bis 10 mm",
		"between 5 and 10 mm", "5 µm", "5µm", "2,4 GHz", "7 Liter", "50 Millimeter", "50 Millimetern", "12 Watt", "12 Ah",
		"3 MN/m³", "0,035 W/mK", "0.035 W/(m·K)",
		"1,2 W/m²K", "1,2 W/(m²K)", "0,8 m²K/W", "100 kWh/m²a", "10 N/mm²", "320000 Pa s/m²", "1/min", "5 Hertz", "5 Jahren",
		"10 years", "5 inches", "90 Grad Celsius",
		"250 Kubikmeter pro Stunde", "60 dB(A)", "10 Stück", "5 Kilo", "5 kWh/m²/a",
	} {
		if !isOnlyNumber(value, analysis.Key(value)) {
			t.Errorf("%q is more than numbers", value)
		}
	}
}

func TestValuesOfMoreThanNumbers(t *testing.T) {
	tests := []struct {
		rule   string
		values []string
	}{
		{"a name before the number", []string{"RAL 9010", "C 50", "A 2", "EN 13964", "Rs = 2510 Pa s/m", "d = 5 mm"}},
		{"a word after it that is not a unit", []string{"2-lagig", "3 Glas", "100 Gas", "5 mm Wolle", "125 mm GK", "10 Mal"}},
		{"a size, with any multiplication sign", []string{"1250 x 3125 mm", "600x600", "60×60 cm", "3 * 3 m"}},
		{"the sign of a diameter", []string{"Ø 5 mm", "Ø50"}},
		{"three numbers with slashes", []string{"600/600/150", "45 / 600 / 12,5 mm"}},
		{"only units", []string{"m²", "Liter"}},
		{"no number", []string{"true", "ca.", ""}},
	}
	for _, test := range tests {
		for _, value := range test.values {
			if isOnlyNumber(value, analysis.Key(value)) {
				t.Errorf("%s: %q is only numbers", test.rule, value)
			}
		}
	}
}
