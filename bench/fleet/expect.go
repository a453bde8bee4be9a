package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"

	"github.com/tidwall/gjson"
	"golang.org/x/sync/errgroup"
)

// expected is the right answer of a generation to a question.
type expected struct {
	status int
	shown  bool   // whether the answer names its generation
	tag    string // "": none
	sum    [sha256.Size]byte
	bytes  int
}

// fault says what is wrong with an answer, "" when nothing is. known is the If-None-Match that was sent.
func (e *expected) fault(a *answer, known string) string {
	want := *e
	if known != "" && known == e.tag {
		want.status, want.bytes, want.sum = http.StatusNotModified, 0, sha256.Sum256(nil)
	}
	if a.status == want.status && a.tag == want.tag && a.sum == want.sum {
		return ""
	}
	return fmt.Sprintf("expected %d, ETag %s, %d bytes, SHA-256 %.8x; got SHA-256 %.8x, %s", want.status, want.tag, want.bytes, want.sum, a.sum, a)
}

// learners ask the reference at a time.
const learners = 4

// learn asks the reference, a server that has the publisher's folder and nothing to do with the fleet, for the answers of a
// generation, and holds them against what the catalogue says.
func (f *fleet) learn(ctx context.Context, g *generation) error {
	g.answers = make([]expected, len(f.questions))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(learners)
	for i := range f.questions {
		group.Go(func() error {
			q := &f.questions[i]
			a, err := ask(ctx, f.reference.address, q, f.accounts[0], "")
			if err == nil {
				err = f.plausible(g, q, a)
			}
			if err != nil {
				return fmt.Errorf("the reference, asked for %s of generation %d: %w", q.path, g.number, err)
			}
			g.answers[i] = expected{a.status, a.shown != "", a.tag, a.sum, len(a.body)}
			return nil
		})
	}
	return group.Wait()
}

// plausible holds an answer of the reference against what the catalogue of the generation has.
func (f *fleet) plausible(g *generation, q *question, a *answer) error {
	text, err := a.text()
	if err != nil {
		return err
	}
	status := http.StatusOK
	if q.detail != nil && f.catalogue.omits(g.number, q.detail) {
		status = http.StatusNotFound
	}
	switch {
	case a.status != status:
		return fmt.Errorf("expected %d, got %s", status, a)
	case a.shown != "" && a.shown != g.shown():
		return fmt.Errorf("expected X-Snapshot %s, got %s", g.shown(), a)
	case q.total != "" && gjson.Get(text, q.total).Int() != int64(g.products):
		return fmt.Errorf("expected %s %d, got %s", q.total, g.products, a)
	case q.detail != nil && status == http.StatusOK && !strings.Contains(text, `"`+name(g.number)+`"`):
		return fmt.Errorf("expected %q in %s", name(g.number), a)
	}
	return nil
}
