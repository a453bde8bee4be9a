package columns

import (
	"strings"
	"testing"
)

// resolved returns the columns for names separated by "|".
func resolved(headers string) (columns []Column) {
	for header := range strings.SplitSeq(headers, "|") {
		columns = append(columns, Parse(header))
	}
	Resolve(columns)
	return columns
}

func TestNumbersAreBandsIfMostOfThemAre(t *testing.T) {
	tests := []struct{ rule, headers, want string }{
		{"thicknesses of a price list", "20|30|40|50|60|80|100", "0 0 0 0 0 0 0"},
		{"years", "2019|2000|2020", "0 0 0"},
		{"a report from 25 Hz on", "25|31.5|40|50|63|80|100", "25 31.5 40 50 63 80 100"},
		{"a single band", "125", "125"},
		{"a number that is no band among bands", "125|250|300|1000", "125 250 300 1000"},
		{"half of them are not most", "125|250|300|301", "0 0 0 0"},
		{"percentages", "125 %|250 %|300 %", "125 250 300"},
		{"kilohertz", "0.125|0.25|0,5|1|2|4", "125 250 500 1000 2000 4000"},
		{"kilohertz beyond ours", "0.0315|0.063|0.125", "31.5 63 125"},
		{"small numbers", "1|2|4", "0 0 0"},
		{"two numbers are not enough for kilohertz", "0.5|1", "0 0"},
		{"a number with Hz is always a band", "125 Hz|20|30|40", "125 0 0 0"},
	}
	for _, test := range tests {
		var got []string
		for _, c := range resolved(test.headers) {
			got = append(got, FormatNumber(float64(c.BandHz)+c.StrayHz))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %s are %s, want %s", test.rule, test.headers, got, test.want)
		}
	}
}

func TestOneOfSeveralColumnsOfAFieldIsUsed(t *testing.T) {
	tests := []struct{ rule, headers, want string }{
		{"a dealer next to a manufacturer", "Lieferant|Hersteller", "|manufacturer"},
		{"a single dealer is the manufacturer", "Artikel|Produkt|Lieferant", "label|label|manufacturer"},
		{"an article next to a name is its number", "Artikel|Bezeichnung|Firma", "article_number|label|manufacturer"},
		{"unless there is a number", "Artikel|Art.-Nr.|Bezeichnung", "|article_number|label"},
		{"two names stay two", "Produkt|Produktname|Name", "|label|label"},
		{"classes next to alpha_w are absorption classes", "Name|αw|Klasse", "label|alpha_w|absorption_class"},
		{"also next to fire classes", "αw|Klasse|Brandklasse", "alpha_w|absorption_class|fire_class"},
		{"or there is no alpha_w", "Name|Klasse", "label|"},
		{"or absorption classes are there", "αw|Class|Absorberklasse", "alpha_w||absorption_class"},
	}
	for _, test := range tests {
		var got []string
		for _, c := range resolved(test.headers) {
			got = append(got, c.String())
		}
		if strings.Join(got, "|") != test.want {
			t.Errorf("%s: %s: got %q, want %q", test.rule, test.headers, got, test.want)
		}
	}
}
