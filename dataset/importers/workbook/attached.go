package workbook

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// A Comment is what somebody noted beside a cell, and no value of it. Row and Column are 1-based. A text of
// more than 1,000 bytes is cut. A thread of comments is one text, after a sentence for programs that know no
// threads.
type Comment struct {
	Row, Column int
	Text        string
}

// A link is the address behind the cells of one column from the first row to the last. A range over several
// columns is a link for each of them: a range over the whole sheet is few links, and a cell is found by a
// binary search.
type link struct {
	first, last int
	target      string
}

// Link returns the address behind a cell, which is of http or https, or "". Row and column are 1-based. The
// address is that of a formula HYPERLINK with a literal address, which is known once Rows has yielded the
// row, or of a hyperlink.
func (s *Sheet) Link(row, column int) string {
	for _, links := range [][]link{s.links[-column], s.links[column]} {
		i := sort.Search(len(links), func(i int) bool { return links[i].first > row }) - 1
		if i >= 0 && links[i].last >= row {
			return links[i].target
		}
	}
	return ""
}

// addLink adds a link, whose column is negative for one of a formula.
func (x *xlsx) addLink(s *Sheet, column, first, last int, target string) error {
	if x.links += 1 + len(target)/128; x.links > maxLinks {
		return fmt.Errorf("more than %d links, or %d MiB of their addresses", maxLinks, maxLinks*128>>20)
	}
	s.links[column] = append(s.links[column], link{first, last, target})
	return nil
}

// addLinks adds an element like <hyperlink ref="A2:A9" r:id="rId1" location="fragment"/>, if its target is an
// address. A link without a relation to a target is one in the workbook.
func (x *xlsx) addLinks(s *Sheet, e xml.StartElement, targets map[string]string) error {
	ref, target := attribute(e, "ref"), targets[attribute(e, "id")]
	if !strings.Contains(ref, ":") {
		ref += ":" + ref
	}
	if fragment := attribute(e, "location"); fragment != "" {
		target += "#" + fragment
	}
	for _, r := range appendRange(nil, ref) {
		for column := r.FirstColumn; web.MatchString(target) && column <= r.LastColumn; column++ {
			if err := x.addLink(s, column, r.FirstRow, r.LastRow, target); err != nil {
				return err
			}
		}
	}
	return nil
}

var (
	// An address, and a formula with a literal one.
	web       = regexp.MustCompile(`^(?i:https?)://`)
	hyperlink = regexp.MustCompile(`^(?i:HYPERLINK)\(\s*"((?i:https?)://[^"]*)"\s*[,;)]`)
)

// attached reads the comments of a sheet, and returns the targets of its links by the id of their relation.
// of is the name of its part.
func (x *xlsx) attached(parts archive, of string, s *Sheet) (targets map[string]string, err error) {
	relations, err := parts.relations(of, maxAttached)
	if err != nil {
		return nil, err
	}
	targets = map[string]string{}
	for _, r := range relations {
		if r.external {
			targets[r.id] = r.target
		} else if r.is("comments") {
			if err := x.addComments(s, parts.take(r.target)); err != nil {
				return nil, fmt.Errorf("%s is damaged: %w", r.target, err)
			}
		}
	}
	return targets, nil
}

// addComments adds the comments of a part to a sheet.
//
//	<comments><commentList><comment ref="A2"><text><r><t>..</t></r><rPh><t>..</t></rPh></text></comment></commentList>
func (x *xlsx) addComments(s *Sheet, part *part) error {
	if part == nil {
		return nil
	}
	var c Comment
	var k keeper
	var text []byte
	placed := false
	err := part.walk(func(token xml.Token) (valued bool, err error) {
		k.follow(token)
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local == "comment" {
				c.Row, c.Column, placed = cellRef(attribute(t, "ref"))
				text = text[:0]
			}
		case xml.CharData:
			if k.keeping && len(text) < 7*maxComment { // of which unescaped leaves a seventh at least
				text = append(text, t...)
			}
		case xml.EndElement:
			if valued = t.Name.Local == "comment" && placed && len(text) > 0; valued && x.comments < maxComments {
				c.Text = unescaped(string(text[:min(len(text), 7*maxComment)]))
				c.Text = c.Text[:min(len(c.Text), maxComment)]
				c.Text = strings.Clone(strings.ToValidUTF8(c.Text, "")) // no part of a letter
				s.Comments = append(s.Comments, c)
				x.comments++
			}
		}
		return valued, nil
	})
	slices.SortStableFunc(s.Comments, func(a, b Comment) int { return cmp.Or(a.Row-b.Row, a.Column-b.Column) })
	return err
}
