package compiler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"sabine/dataset"
	"sabine/indexes/analysis"
)

// readSynonyms returns the distinct groups in the synonym files, in ascending order. The order of files,
// lines and terms does not affect the result. As in a dictionary, faults are reported to the collector.
func (b *build) readSynonyms(ctx context.Context, c *collector) ([]analysis.SynonymGroup, error) {
	inputs := slices.Clone(b.o.Synonyms)
	for _, in := range b.o.Inputs {
		if dataset.IsSynonymsName(in.Name) {
			inputs = append(inputs, in)
		}
	}
	if len(inputs) == 0 {
		return nil, nil
	}
	var s synonyms
	for _, in := range inputs {
		for g, err := range dataset.Synonyms(ctx, in) {
			fault, isFault := errors.AsType[*dataset.Fault](err)
			if err != nil && !isFault {
				return nil, fmt.Errorf("read the synonyms: %w", err)
			}
			if err == nil {
				fault = s.add(g)
			}
			if fault == nil {
				continue
			}
			fault.Place.Ordinal = math.MaxInt // after the faults in records
			c.addFatal(*fault)
		}
	}
	slices.SortFunc(s.groups, compareGroups)
	s.groups = slices.CompactFunc(s.groups, func(a, b analysis.SynonymGroup) bool { return compareGroups(a, b) == 0 })
	b.report.Synonyms = &SynonymsReport{Inputs: namesOf(inputs), Groups: len(s.groups)}
	return s.groups, nil
}

func compareGroups(a, b analysis.SynonymGroup) int {
	return cmp.Or(slices.Compare(a.From, b.From), slices.Compare(a.To, b.To))
}

// synonyms collects the groups from synonym files.
type synonyms struct {
	groups []analysis.SynonymGroup
	count  analysis.SynonymCount
}

// add adds a group. If the group is invalid, add returns the reason.
func (s *synonyms) add(g dataset.SynonymGroup) *dataset.Fault {
	fault := func(problem string) *dataset.Fault {
		return &dataset.Fault{Place: g.Place, Problem: problem, Whole: true}
	}
	keys, without, ok := keysOf(g.From)
	to, withoutTo, okTo := keysOf(g.To) // none if all terms are synonyms of each other
	switch {
	case !ok || !okTo:
		return fault("expected letters or digits in the term " + dataset.Quoted(cmp.Or(without, withoutTo)))
	case len(g.To) == 0 && len(keys) < 2, len(g.To) > 0 && len(keys) == 1 && slices.Equal(keys, to):
		return fault("expected different terms: a search treats all of these as " + dataset.Quoted(keys[0]))
	}
	group := analysis.SynonymGroup{From: keys, To: to}
	if limit := s.count.Add(group); limit != "" {
		return fault("expected " + limit)
	}
	s.groups = append(s.groups, group)
	return nil
}

// keysOf returns the distinct keys of terms in ascending order. If a term has no key, ok is false and without
// is that term.
func keysOf(terms []string) (keys []string, without string, ok bool) {
	for _, term := range terms {
		key := analysis.Key(term)
		if key == "" {
			return nil, term, false
		}
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return slices.Compact(keys), "", true
}
