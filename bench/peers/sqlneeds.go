package main

import (
	"fmt"
	"strconv"
	"strings"

	"sabine/dataset/acoustics"
)

// entryColumns are those of table entry that needs ask for: the octaves, then the others.
func entryColumns() (all []string) {
	for _, hz := range acoustics.OctaveBands {
		all = append(all, "hz"+strconv.Itoa(hz))
	}
	return append(all, "depth", "mounting", "source_kind")
}

// entryIndexes are those of entries by each octave, which answer needs alone.
func entryIndexes() (text string) {
	all := entryColumns()
	for i := range acoustics.OctaveBands {
		others := append(all[:i:i], all[i+1:]...)
		text += fmt.Sprintf("CREATE INDEX by_%s ON entry (%[1]s, %s, doc);\n", all[i], strings.Join(others, ", "))
	}
	return text
}

// needed answers a question about needs in one statement, which looks once for the entries that meet them.
func (d *sqlDB) needed(q *question) (answer, error) {
	s := d.statement()
	choices := choices(&q.Query.Filters)
	s.text = fmt.Sprintf(
		"WITH needed AS MATERIALIZED (SELECT id, updated, %s FROM product WHERE doc IN (SELECT doc FROM entry WHERE %s)), "+
			"hits AS MATERIALIZED (SELECT * FROM needed p WHERE %s) %s UNION ALL SELECT %d, 0, 0, id FROM "+
			"(SELECT id FROM hits ORDER BY updated DESC LIMIT %d) page",
		strings.Join(columns[:], ", "), d.meeting(s, q), d.passing(s, q, families),
		d.dialect().groups("hits p", func(f family) bool { return q.Query.Facets && choices[f] == nil }), isHit, pageSize)
	for f := range families {
		if q.Query.Facets && choices[f] != nil {
			s.text += " UNION ALL " + groupOf("needed p WHERE "+d.passing(s, q, f), f)
		}
	}
	t := &tally{}
	return d.told(t, d.run(t, s))
}

// meeting returns the condition that an entry meets the needs.
func (d *sqlDB) meeting(s *statement, q *question) string {
	n := &q.Query.Filters.Needs
	var all []string
	for _, b := range n.AbsorptionMin {
		all = append(all, fmt.Sprintf("hz%d >= %s", b.BandHz, s.arg(3*b.Thousandths)))
	}
	if n.DepthMax != nil {
		all = append(all, "depth <= "+s.arg(*n.DepthMax))
	}
	for _, m := range n.Mountings {
		all = append(all, "mounting = "+s.arg(d.numbering.find(mounting, m)))
	}
	for _, kind := range n.SourceKinds {
		all = append(all, "source_kind = "+s.arg(d.numbering.find(sourceKind, kind)))
	}
	return strings.Join(all, " AND ")
}
