package dataset

import (
	"strings"
	"testing"

	"sabine/dataset/product"
)

// catalogue is the result of Reader, Parse and Checker for inputs.
type catalogue struct {
	products         []*product.Product
	faults, warnings []string
	unknown          []string
}

func parseCatalogue(t *testing.T, inputs []Input) catalogue {
	t.Helper()
	var c catalogue
	reader, checker := NewReader(inputs), NewChecker()
	for raw, err := range reader.Records() {
		if err != nil {
			c.faults = append(c.faults, err.Error())
			continue
		}
		parsed := Parse(raw)
		faults, warnings := parsed.Faults, parsed.Warnings
		if parsed.Product != nil {
			c.products = append(c.products, parsed.Product)
			f, w := checker.Add(raw.Place, parsed.Product)
			faults, warnings = append(faults, f...), append(warnings, w...)
		}
		for i := range faults {
			c.faults = append(c.faults, faults[i].Error())
		}
		for i := range warnings {
			c.warnings = append(c.warnings, warnings[i].Error())
		}
		c.unknown = append(c.unknown, parsed.Unknown...)
	}
	faults, _ := checker.Finish(reader.Vocabulary())
	for i := range faults {
		c.faults = append(c.faults, faults[i].Error())
	}
	return c
}

func TestSampleIsValid(t *testing.T) {
	c := parseCatalogue(t, Sample())
	if len(c.faults) > 0 || len(c.unknown) > 0 {
		t.Fatalf("%d faults, unknown fields %v; the first: %s", len(c.faults), c.unknown,
			strings.Join(c.faults[:min(3, len(c.faults))], "\n"))
	}
	if len(c.products) != len(sampleRecords(t)) {
		t.Errorf("%d products of %d records", len(c.products), len(sampleRecords(t)))
	}
	for _, warning := range c.warnings {
		if !strings.Contains(warning, "epd") { // the sample contains a declaration without an address
			t.Errorf("warning: %s", warning)
		}
	}
	for _, p := range c.products {
		if reference := p.DataSource != nil && *p.DataSource == "ptb"; reference && p.Purchasable {
			t.Errorf("%s: reference material is purchasable", *p.Slug)
		}
	}
}
