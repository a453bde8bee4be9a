package importers

import (
	"bytes"
	"strings"
	"testing"

	"sabine/dataset"
	"sabine/dataset/importers/table"
)

// TestRealTableHasNoNumberedCopies checks that rows become several products only if their names differ. One
// cell contains 86 instead of 0.86.
func TestRealTableHasNoNumberedCopies(t *testing.T) {
	inputs, _, err := dataset.Inputs([]string{needRealData(t, "ptb-absorption/selection-table.csv")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	s, err := Records(t.Context(), &out, table.Inputs(inputs, table.Options{Manufacturer: "PTB-Referenzmaterial"}), false)
	if err != nil {
		t.Fatal(err)
	}
	if s.Products < 1000 || s.Faults.Total != 1 || !strings.Contains(s.Faults.Kinds[0].Problem, "coefficient 86 is out of range") {
		t.Errorf("%d products, faults %q", s.Products, s.Faults.Lines(""))
	}
	if strings.Contains(out.String(), ` (2)","manufacturer"`) {
		t.Error("a numbered copy of a product")
	}
}
