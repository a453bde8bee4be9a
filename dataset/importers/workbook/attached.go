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

// A Comment is a comment on a cell. Row and Column are 1-based. The text is truncated after 1,000 bytes. The
// text of a comment thread begins with a sentence for programs without support for threads.
type Comment struct {
	Row, Column int
	Text        string
}

// A link is the address for cells in one column from the first row to the last. A range over several columns
// becomes a link for each column. Even a range over the whole sheet is few links, and a binary search finds
// the link of a cell.
type link struct {
	first, last int
	target      string
}

// Link returns the address of a cell, with http or https, or "". Row and column are 1-based. The address
// comes from a formula HYPERLINK with a literal address, known after Rows has yielded the row, or from a
// hyperlink.
func (s *Sheet) Link(row, column int) string {
	for _, links := range [][]link{s.links[-column], s.links[column]} {
		i := sort.Search(len(links), func(i int) bool { return links[i].first > row }) - 1
		if i >= 0 && links[i].last >= row {
			return links[i].target
		}
	}
	return ""
}

// addLink adds a link. The column is negative for a formula.
func (x *xlsx) addLink(s *Sheet, column, first, last int, target string) error {
	if x.links += 1 + len(target)/128; x.links > maxLinks {
		return fmt.Errorf("more than %d links, or %d MiB of addresses", maxLinks, maxLinks*128>>20)
	}
	s.links[column] = append(s.links[column], link{first, last, target})
	return nil
}

// addLinks adds an element like <hyperlink ref="A2:A9" r:id="rId1" location="fragment"/>, if its target is an
// address. A link without a relation to a target is inside the workbook.
func (x *xlsx) addLinks(s *Sheet, e xml.StartElement, targets map[string]string) error {
	ref, target := attribute(e, "ref"), targets[attribute(e, "id")]
	if !strings.Contains(ref, ":") {
		ref += ":" + ref
	}
	if fragment := attribute(e, "location"); fragment != "" {
		target += "#" + fragment
	}
	if !web.MatchString(target) {
		return nil
	}
	for _, r := range appendRange(nil, ref) {
		for column := r.FirstColumn; column <= r.LastColumn; column++ {
			if err := x.addLink(s, column, r.FirstRow, r.LastRow, target); err != nil {
				return err
			}
		}
	}
	return nil
}

// Patterns for an address, and for a formula with a literal address.
var (
	web       = regexp.MustCompile(`^(?i:https?)://`)
	hyperlink = regexp.MustCompile(`^(?i:HYPERLINK)\(\s*"((?i:https?)://[^"]*)"\s*[,;)]`)
)

// attached reads a sheet's comments, and returns the targets of its links by relation id. of is the name of
// the sheet's part.
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

// addComments adds the comments in a part to a sheet.
//
//	<comments><commentList><comment ref="A2"><text><r><t>..</t></r><rPh><t>..</t></rPh></text></comment></commentList>
func (x *xlsx) addComments(s *Sheet, part *part) error {
	if part == nil {
		return nil
	}
	var c Comment
	var k textState
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
			if k.inText && len(text) < 7*maxComment { // unescaped retains at least a seventh
				text = append(text, t...)
			}
		case xml.EndElement:
			if valued = t.Name.Local == "comment" && placed && len(text) > 0; valued && x.comments < maxComments {
				c.Text = unescaped(string(text[:min(len(text), 7*maxComment)]))
				c.Text = c.Text[:min(len(c.Text), maxComment)]
				c.Text = strings.Clone(strings.ToValidUTF8(c.Text, "")) // without incomplete characters
				s.Comments = append(s.Comments, c)
				x.comments++
			}
		}
		return valued, nil
	})
	slices.SortStableFunc(s.Comments, func(a, b Comment) int { return cmp.Or(a.Row-b.Row, a.Column-b.Column) })
	return err
}
