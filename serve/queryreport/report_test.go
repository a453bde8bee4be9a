package queryreport

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

// A searcher adds searches of clients to a report. It uses a fake clock.
type searcher struct {
	*Report
	now time.Time
}

func newSearcher() *searcher { return &searcher{newReport(File{}, noon), noon} }

// ask adds searches of a client that have no hits, at intervals of a minute.
func (s *searcher) ask(client int, texts ...string) {
	for _, text := range texts {
		s.enter(client, "none", time.Minute, text)
	}
}

// enter advances the clock and adds a search of a client.
func (s *searcher) enter(client int, strategy string, after time.Duration, text string) {
	s.now = s.now.Add(after)
	s.Add(Client{byte(client), byte(client >> 8)}, text, strategy, s.now)
}

// texts returns the texts in the report as "text count error strategy".
func (s *searcher) texts() []string {
	s.flush(s.now.Add(time.Minute))
	return textsOf(s.file(s.now))
}

func textsOf(f File) []string {
	var texts []string
	for _, t := range f.Texts {
		texts = append(texts, fmt.Sprint(t.Text, " ", t.Count, " ", t.Error, " ", t.Strategy))
	}
	return texts
}

func TestReport(t *testing.T) {
	tests := []struct {
		rule string
		do   func(s *searcher)
		want []string
	}{
		{"four clients are too few, for any number of searches", func(s *searcher) {
			for client := range 20 {
				s.ask(client%4, "wolke")
			}
		}, nil},
		{"with the fifth client, all earlier searches count", func(s *searcher) {
			for client := range 20 {
				s.ask(client%4, "wolke")
			}
			s.ask(4, "wolke")
		}, []string{"wolke 21 0 none"}},
		{"five clients on different days within thirty days", func(s *searcher) {
			for client := range 5 {
				s.now = noon.AddDate(0, 0, 7*client)
				s.ask(client, "wolke")
			}
		}, []string{"wolke 5 0 none"}},
		{"not five clients if the first came thirty days before the last", func(s *searcher) {
			s.ask(0, "wolke")
			s.now = s.now.AddDate(0, 0, 30)
			for client := range 4 {
				s.ask(client+1, "wolke")
			}
		}, nil},
		{"a text that is too old is dropped", func(s *searcher) {
			for client := range 5 {
				s.ask(client, "wolke")
			}
			s.flush(s.now.Add(time.Minute))
			s.now = s.now.AddDate(0, 0, 30)
		}, nil},
		{"a text that the same client extends within ten seconds is not counted", func(s *searcher) {
			for client := range 5 {
				s.ask(client, "wol")
				s.enter(client, "none", 9*time.Second, "wolk")
				s.enter(client, "fuzzy", 10*time.Second, "wolke")
			}
		}, []string{"wolke 5 0 fuzzy"}},
		{"a text counts if it is extended later", func(s *searcher) {
			for client := range 5 {
				s.ask(client, "wol")
				s.enter(client, "none", 11*time.Second, "wolke")
			}
		}, []string{"wol 5 0 none", "wolke 5 0 none"}},
		{"a text counts if another client extends it", func(s *searcher) {
			for client := range 5 {
				s.ask(client, "wol")
				s.enter((client+1)%5, "none", time.Second, "wolke")
			}
		}, []string{"wol 5 0 none", "wolke 5 0 none"}},
		{"the same text and a shorter text do not extend a text", func(s *searcher) {
			for client := range 5 {
				s.ask(client, "wolke")
				s.enter(client, "none", time.Second, "wolke")
				s.enter(client, "none", time.Second, "wolk")
			}
		}, []string{"wolke 10 0 none", "wolk 5 0 none"}},
		{"a longer text with strict hits replaces a text too", func(s *searcher) {
			for client := range 5 {
				s.ask(client, "wol")
				s.enter(client, "", time.Second, "wolke")
			}
		}, nil},
		{"another text of the same client in between does not matter (an office with one address)", func(s *searcher) {
			for client := range 5 {
				s.ask(client, "wol")
				s.enter(client, "none", time.Second, "segel")
				s.enter(client, "none", time.Second, "wolke")
			}
		}, []string{"segel 5 0 none", "wolke 5 0 none"}},
		{"the strategy is the strategy of the last search", func(s *searcher) {
			for client := range 5 {
				s.enter(client, []string{"none", "trigram"}[client/4], time.Second, "wolke")
			}
		}, []string{"wolke 5 0 trigram"}},
		{"empty texts and very long texts do not count", func(s *searcher) {
			for client := range 5 {
				s.ask(client, "", strings.Repeat("x", maxTextBytes+1))
			}
		}, nil},
		{"after the clock was set back, searches count on the last day", func(s *searcher) {
			for client := range 5 {
				s.ask(client, "wolke")
				s.now = s.now.AddDate(0, 0, -1)
			}
			s.now = noon.Add(time.Hour)
		}, []string{"wolke 5 0 none"}},
		{"if too many searches are pending, the oldest are counted early", func(s *searcher) {
			for client := range maxPending + 5 {
				s.enter(client, "none", 0, "wolke")
			}
		}, []string{fmt.Sprint("wolke ", maxPending+5, " 0 none")}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			s := newSearcher()
			test.do(s)
			if got := s.texts(); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if n := len(s.pending.last); n != 0 || s.pending.first != s.pending.next {
				t.Errorf("%d clients and %d searches are still pending", n, s.pending.next-s.pending.first)
			}
		})
	}
}

// TestSpaceSaving checks that each true count is at most the reported count, and at least the reported count
// minus its error. On each of several days, different texts have counters.
func TestSpaceSaving(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 1))
	s, exact := newSearcher(), map[string]int{}
	zipf := rand.NewZipf(r, 1.1, 5, 20_000)
	for range 3 {
		for range 60_000 {
			text := fmt.Sprint("text ", zipf.Uint64())
			exact[text]++
			s.lastDay(dayOf(s.now)).add(Client{byte(r.IntN(100))}, text, "none")
		}
		s.now = s.now.AddDate(0, 0, 1)
	}
	f := s.file(s.now)
	errors := 0
	for i, text := range f.Texts {
		if n := exact[text.Text]; n > text.Count || n < text.Count-text.Error {
			t.Errorf("%q: %d with error %d, exactly %d", text.Text, text.Count, text.Error, n)
		}
		if i > 0 && text.Count > f.Texts[i-1].Count {
			t.Errorf("%q is more frequent than the text before it", text.Text)
		}
		errors += text.Error
	}
	if len(f.Texts) < 100 || errors == 0 {
		t.Errorf("%d texts with errors of %d do not test the algorithm", len(f.Texts), errors)
	}
	if f.Texts[0].Text != "text 0" || f.Texts[0].Error > f.Texts[0].Count/2 {
		t.Errorf("the most frequent text is %+v", f.Texts[0])
	}
	for _, d := range s.days {
		if len(d.counters) > maxTexts {
			t.Errorf("a day has %d texts, want at most %d", len(d.counters), maxTexts)
		}
	}
}

func TestMemoryIsBounded(t *testing.T) {
	s := newSearcher()
	for day := range 40 {
		for i := range maxTexts + 500 {
			s.lastDay(dayOf(s.now)).add(Client{byte(i)}, fmt.Sprint(day, " ", i), "none")
		}
		s.now = s.now.AddDate(0, 0, 1)
	}
	texts := 0
	for _, d := range s.days {
		texts += len(d.counters)
	}
	if len(s.days) != retainedDays || texts != retainedDays*maxTexts {
		t.Errorf("%d days with %d texts are retained", len(s.days), texts)
	}
}

// TestRestart opens a saved report on the same day and later.
func TestRestart(t *testing.T) {
	s := newSearcher()
	for client := range 20 {
		s.ask(client, "wolke")
		s.ask(client%4, "raft")
		s.now = s.now.AddDate(0, 0, client%2)
	}
	s.flush(s.now.Add(time.Minute))
	before := s.file(s.now) // a report of ten days
	tests := []struct {
		rule  string
		after int // number of days until the restart
		do    func(s *searcher)
		want  []string
	}{
		{"a text in the file is read again; texts of too few clients are lost", 0, func(s *searcher) { s.ask(1, "raft") },
			[]string{"wolke 20 0 none"}},
		{"a text in the file needs no further clients", 0, func(s *searcher) { s.ask(1, "wolke") }, []string{"wolke 21 0 none"}},
		{"a text that is not in the file starts at 0", 0, func(s *searcher) {
			for client := range 5 {
				s.ask(client, "raft")
			}
		}, []string{"wolke 20 0 none", "raft 5 0 none"}},
		{"after 25 days, five of ten days are left, each with the same share", 25, func(*searcher) {},
			[]string{"wolke 9 0 none"}},
		{"after thirty days, nothing is left", 30, func(*searcher) {}, nil},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			again := &searcher{newReport(before, s.now), s.now.AddDate(0, 0, test.after)}
			test.do(again)
			if got := again.texts(); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	if want := (File{From: "2026-11-27", To: "2026-12-07"}); before.From != want.From || before.To != want.To {
		t.Errorf("from %s to %s, want %s to %s", before.From, before.To, want.From, want.To)
	}
	if later := newReport(before, s.now).file(s.now.AddDate(0, 0, 27)); later.From != "2026-12-05" {
		t.Errorf("the report has days that no longer count: from %s", later.From)
	}
}

// TestTheFileOnlyHasTexts checks the members of the file and their values: the file contains no times and no
// data about clients.
func TestTheFileOnlyHasTexts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "queries.json")
	r, err := Open(path, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if first, err := Read(path); err != nil || len(first.Texts) != 0 {
		t.Errorf("at the start: %+v, %v", first, err)
	}
	var asking sync.WaitGroup
	for client := range 8 {
		asking.Go(func() {
			for range 50 {
				r.Add(Client{1, byte(client)}, "wolke", "fuzzy", time.Now())
				_ = r.file(time.Now())
			}
		})
	}
	asking.Wait()
	if _, err := Open(path, nil); err == nil || !strings.Contains(err.Error(), "in use by another server") {
		t.Errorf("a second server: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	var file map[string]any
	if err := errors.Join(err, json.Unmarshal(text, &file)); err != nil {
		t.Fatal(err)
	}
	today := time.Now().UTC().Format(time.DateOnly)
	want := fmt.Sprintf(`map[from:%s texts:[map[count:400 error:0 strategy:fuzzy text:wolke]] to:%s]`, today, today)
	if got := fmt.Sprint(file); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if r, err = Open(path, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if again, err := Read(path); err != nil || !slices.Equal(textsOf(again), []string{"wolke 400 0 fuzzy"}) {
		t.Errorf("after a restart %+v, %v", again, err)
	}
}

func TestAFileOfAnotherKindIsNotReplaced(t *testing.T) {
	for _, text := range []string{"", "{}", `{"accounts": []}`, "[1]",
		`{"from":"2026-11-02","to":"2026-11-01","texts":[]}`,
		`{"from":"2026-11-01","to":"2026-11-01","texts":[{"text":"a","count":1,"error":2,"strategy":"none"}]}`,
		`{"from":"2026-11-01","to":"2026-11-01","texts":[{"text":"a","count":-1,"error":0,"strategy":"none"}]}`} {
		path := filepath.Join(t.TempDir(), "keys.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(path, slog.New(slog.DiscardHandler))
		if err == nil || !strings.Contains(err.Error(), path+" is not a query report: ") {
			t.Errorf("%s: got %v", text, err)
		}
		if left, err := os.ReadFile(path); err != nil || string(left) != text {
			t.Errorf("%s was replaced by %s, %v", text, left, err)
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none", "q"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing folder: %v", err)
	}
}

func TestMerge(t *testing.T) {
	got := Merge(
		File{"2026-11-01", "2026-11-20", []Text{{"wolke", 7, 1, "none"}, {"raft", 5, 0, "fuzzy"}}},
		File{"2026-10-25", "2026-11-10", []Text{{"raft", 6, 2, "trigram"}}})
	if got.From != "2026-10-25" || got.To != "2026-11-20" ||
		!slices.Equal(textsOf(got), []string{"raft 11 2 trigram", "wolke 7 1 none"}) {
		t.Errorf("got %+v", got)
	}
}

func TestAddAllocatesLittle(t *testing.T) {
	s := newSearcher()
	for i := range maxTexts {
		s.ask(i, "wolke")
	}
	found := testing.AllocsPerRun(1000, func() { s.enter(1, "", time.Second, "wolkenband") })
	unfound := testing.AllocsPerRun(1000, func() { s.enter(1, "none", time.Minute, "wolke") })
	if found > 0 || unfound > 1 {
		t.Errorf("%v allocations for a text that is found, %v for a text that is not found", found, unfound)
	}
}

// BenchmarkAdd/full adds a new text in each iteration, and each new text takes over a counter.
func BenchmarkAdd(b *testing.B) {
	texts := make([]string, 1<<16)
	for i := range texts {
		texts[i] = fmt.Sprint("a text of some length ", i)
	}
	for _, strategy := range []string{"", "none"} {
		b.Run(map[string]string{"": "found", "none": "full"}[strategy], func(b *testing.B) {
			s, i := newSearcher(), 0
			b.ReportAllocs()
			for b.Loop() {
				i++
				s.now = s.now.Add(time.Second)
				s.Add(Client{byte(i), byte(i >> 8)}, texts[i%len(texts)], strategy, s.now)
			}
		})
	}
}
