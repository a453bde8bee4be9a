package compiler

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"sabine/dataset"
)

// A collector takes the records in input order, checks them against each other, counts, and spills what was
// made of the published ones. Of each product it keeps only what its number depends on.
type collector struct {
	checker  *dataset.Checker
	spill    *spill
	products []catalogued // published and, so far, without fault

	corrections       *dataset.Corrections     // nil: none
	corrected, fields int                      // products and their fields
	correctedAt       map[dataset.Place]string // by the place of a record: the places of its corrections

	records, unpublished, faulty int
	damaged                      int // faults of whole inputs and vocabularies

	faults, warnings findings
	unknown          map[string]int
	families         families // of products
}

// A catalogued product is what the build keeps of one in memory until the end.
type catalogued struct {
	dated      bool  // it has an updated_at
	second     int64 // of updated_at, since 1970
	nanosecond int32
	id         uuid.UUID
	ordinal    int
	spilled    spilled
}

// cataloguedOf returns what is kept of an item, before it is spilled.
func cataloguedOf(it *item) catalogued {
	kept := catalogued{id: it.parsed.Product.ID, ordinal: it.raw.Place.Ordinal}
	if u := it.parsed.Product.UpdatedAt; u != nil {
		kept.dated, kept.second, kept.nanosecond = true, u.Unix(), int32(u.Nanosecond())
	}
	return kept
}

func newCollector(dir string) (*collector, error) {
	s, err := newSpill(dir)
	if err != nil {
		return nil, err
	}
	return &collector{checker: dataset.NewChecker(), spill: s, unknown: map[string]int{},
		correctedAt: map[dataset.Place]string{}, families: newFamilies()}, nil
}

// take takes the next batch.
func (c *collector) take(b *batch) error {
	for i := range b.items {
		if err := c.takeItem(b, &b.items[i]); err != nil {
			return err
		}
	}
	return nil
}

func (c *collector) takeItem(b *batch, it *item) error {
	if it.fault != nil {
		c.faults.add(*it.fault)
		if it.fault.Whole {
			c.damaged++
		} else {
			c.records++
			c.faulty++
		}
		return nil
	}
	c.records++
	for _, name := range it.parsed.Unknown {
		if _, known := c.unknown[name]; !known {
			name = strings.Clone(name) // it may be a piece of the record
		}
		c.unknown[name]++
	}
	c.noteCorrections(it)
	c.warnings.add(it.parsed.Warnings...)
	p := it.parsed.Product
	if p == nil {
		c.faulty++
		c.faults.add(c.ofCorrected(it.parsed.Faults)...)
		if it.parsed.Faulty != nil {
			c.faults.add(c.ofCorrected(c.checker.AddFaulty(it.raw.Place, it.parsed.Faulty))...)
		}
		return nil
	}
	faults, warnings := c.checker.Add(it.raw.Place, p)
	c.warnings.add(warnings...)
	switch {
	case len(faults) > 0:
		c.faulty++
		c.faults.add(c.ofCorrected(faults)...)
		return nil
	case !p.Published:
		c.unpublished++
		return nil
	}
	return c.keep(b, it)
}

// noteCorrections notes what the corrections did to a record.
func (c *collector) noteCorrections(it *item) {
	if c.corrections == nil {
		return
	}
	c.corrections.Note(it.raw.Place, it.done)
	c.faults.add(it.done.Faults...)
	c.damaged += len(it.done.Faults)
	if it.done.Fields > 0 {
		c.corrected++
		c.fields += it.done.Fields
		c.correctedAt[it.raw.Place] = it.done.At
	}
}

// ofCorrected returns faults. Those of corrected records as a whole, not of a cell, name the corrections.
func (c *collector) ofCorrected(faults []dataset.Fault) []dataset.Fault {
	for i := range faults {
		if at, ok := c.correctedAt[faults[i].Place]; ok {
			faults[i].Problem += " (corrected by " + at + ")"
		}
	}
	return faults
}

// keep spills a product.
func (c *collector) keep(b *batch, it *item) error {
	at, err := c.spill.add(b.out[it.start:it.end], it.body-it.start)
	if err != nil {
		return err
	}
	kept := cataloguedOf(it)
	kept.spilled = at
	c.products = append(c.products, kept)
	c.families.count(&it.document, 1)
	return nil
}

// settle holds the products against the vocabulary, which is known in full only now, and leaves out those
// that break it. The findings, the counts and the products are final then.
func (c *collector) settle(v *dataset.Vocabulary) error {
	if err := c.spill.flush(); err != nil {
		return err
	}
	faults, rejected := c.checker.Finish(v)
	c.checker = nil // it knows every id and slug; the indexes will need the memory
	c.faults.merge(c.ofCorrected(faults))
	if c.corrections != nil {
		faults, warnings := c.corrections.Finish()
		c.faults.merge(faults)
		c.warnings.merge(warnings)
		c.damaged += len(faults)
		c.corrections, c.correctedAt = nil, nil // the memory, too
	}
	c.faulty += len(rejected)
	unpublished := len(rejected)
	for _, p := range c.products {
		if !rejected[p.ordinal] {
			continue
		}
		unpublished--
		document, _, err := c.spill.read(p.spilled)
		if err != nil {
			return err
		}
		c.families.count(&document, -1)
	}
	c.unpublished -= unpublished // the rejected records that are not among the products
	c.products = slices.DeleteFunc(c.products, func(p catalogued) bool { return rejected[p.ordinal] })
	return nil
}

// number puts the products into the order of their document numbers: updated_at descending, null last, then
// id.
func (c *collector) number() {
	slices.SortFunc(c.products, catalogued.compare)
}

// compare compares the places of two products in that order.
func (p catalogued) compare(q catalogued) int {
	if p.dated != q.dated {
		if p.dated {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(q.second, p.second), cmp.Compare(q.nanosecond, p.nanosecond),
		bytes.Compare(p.id[:], q.id[:]))
}

// report notes what was read and found.
func (c *collector) report(r *Report, v *dataset.Vocabulary) {
	r.Counts.Records, r.Counts.Unpublished, r.Counts.Skipped = c.records, c.unpublished, c.faulty
	r.Faults, r.Warnings = c.faults.report(), c.warnings.report()
	r.UnknownFields = c.unknown
	r.Families = c.families.report(v)
}

// fit returns why nothing can be built: faults, or no published product. A whole input that is damaged is
// never left out as a faulty record is: nobody could say how much of the catalogue is missing.
func (c *collector) fit(skipInvalid bool) error {
	if c.damaged > 0 || c.faults.total > 0 && !skipInvalid {
		return c.faults.report().err()
	}
	switch {
	case len(c.products) > 0:
		return nil
	case c.records == 0:
		return errors.New("the catalogue is empty: the inputs hold no record")
	case c.faulty > 0:
		return fmt.Errorf("the catalogue is empty: of %d records %d are unpublished and %d were left out for their faults",
			c.records, c.unpublished, c.faulty)
	}
	return fmt.Errorf("the catalogue is empty: all %d records are unpublished", c.records)
}
