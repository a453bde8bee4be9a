package trial

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"

	"github.com/tidwall/gjson"
	"golang.org/x/sync/errgroup"
)

// A Generation is one build of a catalogue, and what is right to answer from it.
type Generation struct {
	Number   int
	Hash     string
	Products int
	Answers  []Expected // by question
}

// shownDigits is how much of a hash X-Snapshot shows.
const shownDigits = 16

// Shown is what X-Snapshot says of it.
func (g *Generation) Shown() string { return g.Hash[:shownDigits] }

// Expected is the right answer of a generation to a question.
type Expected struct {
	Status int
	Shown  bool   // whether the answer names its generation
	Tag    string // "": none
	Sum    [sha256.Size]byte
	Bytes  int
}

// Fault says what is wrong with an answer, "" when nothing is. known is the If-None-Match that was sent.
func (e *Expected) Fault(a *Answer, known string) string {
	want := *e
	if known != "" && known == e.Tag {
		want.Status, want.Bytes, want.Sum = http.StatusNotModified, 0, sha256.Sum256(nil)
	}
	if a.Status == want.Status && a.Tag == want.Tag && a.Sum == want.Sum {
		return ""
	}
	return fmt.Sprintf("expected %d, ETag %s, %d bytes, SHA-256 %.8x; got SHA-256 %.8x, %s", want.Status, want.Tag,
		want.Bytes, want.Sum, a.Sum, a)
}

// learners ask at a time.
const learners = 4

// Learn asks a server that has nothing to do with the trial, and has the generation in force, for all right
// answers, and holds them against what the catalogue says.
func (g *Generation) Learn(ctx context.Context, address, key string, c *Catalogue, questions []Question) error {
	g.Answers = make([]Expected, len(questions))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(learners)
	for i := range questions {
		group.Go(func() error {
			q := &questions[i]
			a, err := Ask(ctx, address, q, key, "")
			if err == nil {
				err = g.plausible(c, q, a)
			}
			if err != nil {
				return fmt.Errorf("the reference, asked for %s of generation %d: %w", q.Path, g.Number, err)
			}
			g.Answers[i] = Expected{a.Status, a.Shown != "", a.Tag, a.Sum, len(a.Body)}
			return nil
		})
	}
	return group.Wait()
}

// plausible holds an answer of the reference against what the catalogue has in the generation.
func (g *Generation) plausible(c *Catalogue, q *Question, a *Answer) error {
	text, err := a.Text()
	if err != nil {
		return err
	}
	status := http.StatusOK
	if q.detail != nil && c.omits(g.Number, q.detail) {
		status = http.StatusNotFound
	}
	switch {
	case a.Status != status:
		return fmt.Errorf("expected %d, got %s", status, a)
	case a.Shown != "" && a.Shown != g.Shown():
		return fmt.Errorf("expected X-Snapshot %s, got %s", g.Shown(), a)
	case q.total != "" && gjson.Get(text, q.total).Int() != int64(g.Products):
		return fmt.Errorf("expected %s %d, got %s", q.total, g.Products, a)
	case q.detail != nil && status == http.StatusOK && !strings.Contains(text, `"`+name(g.Number)+`"`):
		return fmt.Errorf("expected %q in %s", name(g.Number), a)
	}
	return nil
}
