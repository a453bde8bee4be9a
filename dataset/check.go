package dataset

import (
	"cmp"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/zeebo/xxh3"

	"sabine/dataset/product"
)

// A Checker checks records against the other records of the catalogue. Ids and slugs must be unique, a
// manufacturer slug must have one name and id, and values must be in the vocabulary. One goroutine adds the
// records in input order.
//
// If two records claim the same id, slug or manufacturer, the first record keeps it, even if it has other
// faults. That way, a single build can report all faults. If faulty records are skipped, the kind of fault
// does not affect which records remain.
//
// A Checker uses about 200 bytes of memory for a product of any size. It stores strings as 128-bit hashes,
// which practically never collide.
type Checker struct {
	records []checkedRecord

	ids    map[uuid.UUID]uint32 // indexes in records
	slugs  map[xxh3.Uint128]uint32
	labels map[xxh3.Uint128]uint32 // indexes in records, by hash of manufacturer slug and label

	manufacturers   map[string]checkedManufacturer // manufacturers by slug
	manufacturerIDs map[uuid.UUID]string           // slugs by id

	uses map[string]map[string][]uint32 // indexes in records, by family and value
}

// checkedRecord is a record that was added.
type checkedRecord struct {
	place  Place
	id     uuid.UUID
	faulty bool // whether the record has faults: it was added only for the values that it claims
}

// checkedManufacturer is a manufacturer with the data from its first product.
type checkedManufacturer struct {
	product.Manufacturer
	first uint32 // index in records
}

// NewChecker returns an empty checker.
func NewChecker() *Checker {
	c := &Checker{
		ids:             map[uuid.UUID]uint32{},
		slugs:           map[xxh3.Uint128]uint32{},
		labels:          map[xxh3.Uint128]uint32{},
		manufacturers:   map[string]checkedManufacturer{},
		manufacturerIDs: map[uuid.UUID]string{},
		uses:            map[string]map[string][]uint32{},
	}
	for _, family := range product.Families {
		c.uses[family] = map[string][]uint32{}
	}
	return c
}

// Add checks a product against the earlier products, and records its claims.
func (c *Checker) Add(place Place, p *product.Product) (faults, warnings []Fault) {
	faults = c.conflicts(place, p)
	record := c.claim(place, p, len(faults) > 0)
	if len(faults) > 0 {
		return faults, nil
	}
	label := hashLabel(p)
	if first, twice := c.labels[label]; twice {
		warnings = append(warnings, Fault{Place: place, Record: p.ID.String(), Path: "label",
			Problem: Quoted(p.Label.In(product.German)) + " is also the label of another product of this manufacturer: " +
				c.records[first].name()})
	} else {
		c.labels[label] = record
	}
	return nil, warnings
}

// AddFaulty is like Add for a record with faults, without the check of the label. p is the readable part of
// the record.
func (c *Checker) AddFaulty(place Place, p *product.Product) (faults []Fault) {
	faults = c.conflicts(place, p)
	c.claim(place, p, true)
	return faults
}

// conflicts returns a fault for the id, the slug or the manufacturer of a product if an earlier record
// conflicts with it.
func (c *Checker) conflicts(place Place, p *product.Product) (faults []Fault) {
	note := func(path, problem string) {
		faults = append(faults, Fault{Place: place, Record: idText(p.ID), Path: path, Problem: problem})
	}
	if first, twice := c.ids[p.ID]; twice {
		note("id", "duplicate id, first used in "+c.records[first].place.String())
	}
	if p.Slug != nil {
		if first, twice := c.slugs[xxh3.HashString128(*p.Slug)]; twice {
			note("slug", Quoted(*p.Slug)+" is a duplicate slug, first used in "+c.records[first].name())
		}
	}
	for _, problem := range c.manufacturerProblems(&p.Manufacturer) {
		note("manufacturer", problem)
	}
	return faults
}

// name returns the name of a record in a message about another record.
func (r *checkedRecord) name() string {
	if id := idText(r.id); id != "" {
		return r.place.String() + ", product " + id
	}
	return r.place.String()
}

// idText returns an id for a message, or "" if the id of the record is missing or invalid.
func idText(id uuid.UUID) string {
	if id == (uuid.UUID{}) {
		return ""
	}
	return id.String()
}

// claim adds a record with its values, and assigns the id, slug and manufacturer to the record if they are
// unclaimed. It returns the index of the record in records.
func (c *Checker) claim(place Place, p *product.Product, faulty bool) (record uint32) {
	record = uint32(len(c.records))
	c.records = append(c.records, checkedRecord{place, p.ID, faulty})
	c.use(product.FamilyCategory, p.MaterialCategory, record)
	c.use(product.FamilyCharacter, p.AbsorptionCharacter, record)
	for i := range p.InstallationTypes {
		c.use(product.FamilyInstallation, &p.InstallationTypes[i], record)
	}
	if _, taken := c.ids[p.ID]; !taken && p.ID != (uuid.UUID{}) {
		c.ids[p.ID] = record
	}
	if p.Slug != nil {
		slug := xxh3.HashString128(*p.Slug)
		if _, taken := c.slugs[slug]; !taken {
			c.slugs[slug] = record
		}
	}
	m := p.Manufacturer
	_, slugTaken := c.manufacturers[m.Slug]
	_, idTaken := c.manufacturerIDs[m.ID]
	if m.Name != "" && !slugTaken && !idTaken {
		m.Slug, m.Name = strings.Clone(m.Slug), strings.Clone(m.Name) // do not retain the text of the record
		c.manufacturers[m.Slug] = checkedManufacturer{m, record}
		c.manufacturerIDs[m.ID] = m.Slug
	}
	return record
}

// use notes that a record uses a value from a family.
func (c *Checker) use(family string, value *string, record uint32) {
	if value == nil {
		return
	}
	uses, key := c.uses[family], *value
	if uses[key] == nil {
		key = strings.Clone(key) // do not retain the text of the record
	}
	uses[key] = append(uses[key], record)
}

// hashLabel hashes the manufacturer slug and German label, separated by a byte that no slug contains.
func hashLabel(p *product.Product) xxh3.Uint128 {
	var buf [256]byte
	b := append(buf[:0], p.Manufacturer.Slug...)
	b = append(b, 0)
	return xxh3.Hash128(append(b, p.Label.In(product.German)...))
}

// manufacturerProblems returns the differences between a manufacturer and the same manufacturer in earlier
// records.
func (c *Checker) manufacturerProblems(m *product.Manufacturer) (problems []string) {
	known, ok := c.manufacturers[m.Slug]
	if ok && known.Name != m.Name {
		problems = append(problems, "the slug "+m.Slug+" has the name "+Quoted(m.Name)+" here and "+Quoted(known.Name)+
			" in "+c.records[known.first].name())
	}
	if ok && known.ID != m.ID {
		problems = append(problems, "the slug "+m.Slug+" has the id "+m.ID.String()+" here and "+known.ID.String()+" in "+
			c.records[known.first].name())
	}
	if slug, taken := c.manufacturerIDs[m.ID]; taken && slug != m.Slug {
		problems = append(problems, "the id "+m.ID.String()+" has the slug "+m.Slug+" here and "+slug+" in "+
			c.records[c.manufacturers[slug].first].name())
	}
	return problems
}

// Finish checks all added records against the vocabulary, which can be nil. It returns the faults in input
// order. rejected contains the ordinals (Place.Ordinal) of the records that were valid before this check.
func (c *Checker) Finish(v *Vocabulary) (faults []Fault, rejected map[int]bool) {
	if v == nil {
		return nil, nil
	}
	rejected = map[int]bool{}
	for _, family := range product.Families {
		terms, closed := v.Families[family]
		if !closed {
			continue
		}
		for value, records := range c.uses[family] {
			if _, declared := terms[value]; declared {
				continue
			}
			for _, record := range records {
				r := &c.records[record]
				faults = append(faults, Fault{Place: r.place, Record: idText(r.id), Path: family, Problem: Quoted(value) +
					" is not in the vocabulary"})
				if !r.faulty {
					rejected[r.place.Ordinal] = true
				}
			}
		}
	}
	slices.SortFunc(faults, func(a, b Fault) int {
		return cmp.Or(
			cmp.Compare(a.Place.Ordinal, b.Place.Ordinal),
			cmp.Compare(slices.Index(product.Families, a.Path), slices.Index(product.Families, b.Path)),
			cmp.Compare(a.Problem, b.Problem),
		)
	})
	return faults, rejected
}
