package compiler

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/google/uuid"

	"sabine/dataset"
)

// A collector receives the records in input order, checks them against each other, counts them, and writes
// the published products to the spill. In memory, it retains only a productRef of each product, and the ids
// and names that the checker needs.
type collector struct {
	checker  *dataset.Checker
	spill    *spill
	products []productRef // published products without a fault so far

	corrections       *dataset.Corrections     // nil if there are none
	corrected, fields int                      // number of corrected products, and of corrected fields
	correctedAt       map[dataset.Place]string // locations of corrections by location of the corrected record

	records, unpublished, faulty int
	fatal                        int // number of faults outside of single records, such as in vocabularies

	faults, warnings findings
	unknown          map[string]int
	families         families // number of products for each value
}

// A productRef contains the data of a product that remains in memory until the end of the build.
type productRef struct {
	second     int64 // Unix time of updated_at; undated if it has none
	nanosecond int32
	id         uuid.UUID
	ordinal    int
	spilled    spilled
}

const undated = math.MinInt64 // before all times

// newProductRef returns the productRef of an item that has not been spilled yet.
func newProductRef(it *item) productRef {
	kept := productRef{second: undated, id: it.parsed.Product.ID, ordinal: it.raw.Place.Ordinal}
	if u := it.parsed.Product.UpdatedAt; u != nil {
		kept.second, kept.nanosecond = u.Unix(), int32(u.Nanosecond())
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

// take processes the items of the next batch.
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
			c.fatal++
		} else {
			c.records++
			c.faulty++
		}
		return nil
	}
	c.records++
	for _, name := range it.parsed.Unknown {
		c.unknown[detached(name)]++
	}
	c.noteCorrections(it)
	c.warnings.add(it.parsed.Warnings...)
	p := it.parsed.Product
	if p == nil {
		c.faulty++
		c.faults.add(c.withCorrections(it.parsed.Faults)...)
		if it.parsed.Faulty != nil {
			c.faults.add(c.withCorrections(c.checker.AddFaulty(it.raw.Place, it.parsed.Faulty))...)
		}
		return nil
	}
	faults, warnings := c.checker.Add(it.raw.Place, p)
	c.warnings.add(warnings...)
	switch {
	case len(faults) > 0:
		c.faulty++
		c.faults.add(c.withCorrections(faults)...)
		return nil
	case !p.Published:
		c.unpublished++
		return nil
	}
	return c.add(b, it)
}

// noteCorrections counts the corrections that were applied to a record.
func (c *collector) noteCorrections(it *item) {
	if c.corrections == nil {
		return
	}
	c.corrections.Note(it.raw.Place, it.corrected)
	c.addFatal(it.corrected.Faults...)
	if it.corrected.Fields > 0 {
		c.corrected++
		c.fields += it.corrected.Fields
		c.correctedAt[it.raw.Place] = it.corrected.At
	}
}

// withCorrections adds the locations of corrections to faults located in a corrected record.
func (c *collector) withCorrections(faults []dataset.Fault) []dataset.Fault {
	for i := range faults {
		if at, ok := c.correctedAt[faults[i].Place]; ok {
			faults[i].Problem += " (corrected by " + at + ")"
		}
	}
	return faults
}

// addFatal adds faults that make the build fail even if SkipInvalid is set.
func (c *collector) addFatal(faults ...dataset.Fault) {
	c.fatal += len(faults)
	c.faults.add(faults...)
}

// add writes a product to the spill and adds it to the list of products.
func (c *collector) add(b *batch, it *item) error {
	at, err := c.spill.add(b.out[it.start:it.end], it.body-it.start)
	if err != nil {
		return err
	}
	kept := newProductRef(it)
	kept.spilled = at
	c.products = append(c.products, kept)
	c.families.count(&it.document, 1)
	return nil
}

// finish checks the products against the vocabulary, which is complete only after all inputs were read, and
// removes invalid products. The findings, counts and products do not change afterwards.
func (c *collector) finish(v *dataset.Vocabulary) error {
	if err := c.spill.flush(); err != nil {
		return err
	}
	faults, rejected := c.checker.Finish(v)
	c.checker = nil // frees all ids and slugs, since the indexes need the memory
	c.faults.merge(c.withCorrections(faults))
	if c.corrections != nil {
		faults, warnings := c.corrections.Finish()
		c.faults.merge(faults)
		c.warnings.merge(warnings)
		c.fatal += len(faults)
		c.corrections, c.correctedAt = nil, nil // also frees memory
	}
	c.faulty += len(rejected)
	rejectedUnpublished := len(rejected) // after the loop; c.products has only published products
	for _, p := range c.products {
		if !rejected[p.ordinal] {
			continue
		}
		rejectedUnpublished--
		document, _, err := c.spill.read(p.spilled)
		if err != nil {
			return err
		}
		c.families.count(&document, -1)
	}
	c.unpublished -= rejectedUnpublished
	c.products = slices.DeleteFunc(c.products, func(p productRef) bool { return rejected[p.ordinal] })
	return nil
}

// compare compares two products in the order of document numbers: by updated_at descending with null last,
// then by id.
func (p productRef) compare(q productRef) int {
	return cmp.Or(cmp.Compare(q.second, p.second), cmp.Compare(q.nanosecond, p.nanosecond),
		bytes.Compare(p.id[:], q.id[:]))
}

// report adds the counts and findings to the report.
func (c *collector) report(r *Report, v *dataset.Vocabulary) {
	r.Counts.Records, r.Counts.Unpublished, r.Counts.Skipped = c.records, c.unpublished, c.faulty
	r.Faults, r.Warnings = c.faults.report(), c.warnings.report()
	r.UnknownFields = c.unknown
	r.Families = c.families.report(v)
}

// checkBuildable returns an error if no snapshot can be built: because of faults, or because no product is
// published. A fault outside of single records is never skipped, because the extent of the missing data is
// unknown.
func (c *collector) checkBuildable(skipInvalid bool) error {
	if c.fatal > 0 || c.faults.total > 0 && !skipInvalid {
		return c.faults.report().err()
	}
	switch {
	case len(c.products) > 0:
		return nil
	case c.records == 0:
		return errors.New("the catalogue is empty: the inputs contain no records")
	case c.faulty > 0:
		return fmt.Errorf("the catalogue is empty: of %d records, %d are unpublished and %d were skipped because of faults",
			c.records, c.unpublished, c.faulty)
	}
	return fmt.Errorf("the catalogue is empty: all %d records are unpublished", c.records)
}
