package queryreport

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"sabine/serve/statefile"
)

// maxFileSize is the maximum size of a report, more than the texts of 30 days can need.
const maxFileSize = 64 << 20

// A File contains the counts for the days from From to To, in UTC.
type File struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Texts []Text `json:"texts"` // most frequent texts first
}

// A Text is a text that at least five different clients searched for and did not find.
type Text struct {
	Text     string `json:"text"`
	Count    int    `json:"count"` // not less than the true count
	Error    int    `json:"error"` // maximum difference between Count and the true count
	Strategy string `json:"strategy"`
}

// Read reads a query report.
func Read(path string) (f File, err error) {
	text, err := statefile.Read(path, maxFileSize)
	if err != nil {
		return f, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return f, fmt.Errorf("%s is not a query report: %w", path, err)
	}
	from, to, err := f.days()
	if err == nil && from > to {
		err = fmt.Errorf("the first day %s is after the last day %s", f.From, f.To)
	}
	for _, t := range f.Texts {
		if t.Count < 0 || t.Error < 0 || t.Error > t.Count {
			err = cmp.Or(err, fmt.Errorf("invalid count %d with error %d", t.Count, t.Error))
		}
	}
	if err != nil {
		return File{}, fmt.Errorf("%s is not a query report: %w", path, err)
	}
	return f, nil
}

// days returns the numbers of the first and last day, or an error for a zero File.
func (f *File) days() (from, to int64, err error) {
	first, err := time.Parse(time.DateOnly, f.From)
	if err != nil {
		return 0, 0, err
	}
	last, err := time.Parse(time.DateOnly, f.To)
	return dayOf(first), dayOf(last), err
}

func dateOf(day int64) string { return time.Unix(day*secondsOfADay, 0).UTC().Format(time.DateOnly) }

// A sum contains the counts for a text on all days.
type sum struct {
	Text
	clients []Client
	known   bool // whether an earlier report contains the text, so that enough clients have searched for it
}

// sums contains the sum for each text.
type sums map[string]*sum

func (s sums) of(text string) *sum {
	if s[text] == nil {
		s[text] = &sum{Text: Text{Text: text}}
	}
	return s[text]
}

// save writes the report of the last 30 days.
func (r *Report) save(now time.Time) error {
	text, err := json.MarshalIndent(r.file(now), "", " ")
	if err != nil {
		return err
	}
	return statefile.Write(r.path, append(text, '\n'))
}

// file returns the report of the last 30 days.
func (r *Report) file(now time.Time) File {
	r.mu.Lock()
	days := slices.Clone(r.days)
	if last := len(days) - 1; last >= 0 {
		days[last] = days[last].snapshot()
	}
	r.mu.Unlock()
	today := dayOf(now)
	all, first, missed := sums{}, today-retainedDays+1, 0
	from := max(first, min(r.begun, all.addBefore(&r.before, first, r.begun)))
	for _, d := range days {
		if d.number >= first {
			missed += all.addDay(d)
		}
	}
	f := File{From: dateOf(min(from, today)), To: dateOf(today), Texts: []Text{}}
	for _, s := range all {
		if s.known || len(s.clients) >= minClients {
			s.Count, s.Error = s.Count+missed, s.Error+missed
			f.Texts = append(f.Texts, s.Text)
		}
	}
	f.sort()
	return f
}

// sort sorts the texts by frequency, most frequent first, and truncates the list to the size limit of a file.
func (f *File) sort() {
	slices.SortFunc(f.Texts, func(a, b Text) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Text, b.Text))
	})
	f.Texts = f.Texts[:min(len(f.Texts), retainedDays*maxTexts)]
}

// addDay adds the counters of a day. It returns the maximum number of searches for a text without a counter.
// It subtracts this number from the counts, because the caller adds it to every text.
func (s sums) addDay(d *day) (missed int) {
	missed = d.missed()
	for i, c := range d.counters {
		t := s.of(c.text)
		t.Count, t.Error, t.Strategy = t.Count+d.counts[i]-missed, t.Error+c.error-missed, c.strategy
		for _, client := range c.clients {
			if !slices.Contains(t.clients, client) {
				t.clients = append(t.clients, client)
			}
		}
	}
	return missed
}

// addBefore adds the counts from an earlier process, and returns the first day of the file, or defaultDay if
// the file has no days to add. The file does not contain counts by day, so addBefore assumes the same count
// for each day, and omits the days before first.
func (s sums) addBefore(f *File, first, defaultDay int64) (from int64) {
	from, to, err := f.days()
	if err != nil || to < first {
		return defaultDay
	}
	left, all := int(to-max(from, first))+1, int(to-from)+1
	for _, t := range f.Texts {
		if count := t.Count * left / all; count > 0 {
			s[t.Text] = &sum{Text: Text{t.Text, count, min(t.Error*left/all, count), t.Strategy}, known: true}
		}
	}
	return from
}

// Merge returns the sum of the reports from several servers.
func Merge(files ...File) (merged File) {
	all := sums{}
	for i, f := range files {
		if i == 0 || f.From < merged.From {
			merged.From = f.From
		}
		merged.To = max(merged.To, f.To)
		for _, t := range f.Texts {
			s := all.of(t.Text)
			s.Count, s.Error, s.Strategy = s.Count+t.Count, s.Error+t.Error, t.Strategy
		}
	}
	merged.Texts = []Text{}
	for _, s := range all {
		merged.Texts = append(merged.Texts, s.Text)
	}
	merged.sort()
	return merged
}
