package serve

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"

	"sabine/indexes/snapshot"
	"sabine/runtime"
)

// sinceForm is what since may be: a hash as X-Snapshot shows it, or a whole one.
var sinceForm = regexp.MustCompile(`^[0-9a-f]{16}([0-9a-f]{48})?$`)

var errSince = errors.New("is not 16 or 64 lower-case hex digits, as X-Snapshot and the changes have them")

var getChanges = &operation{
	name: "getChanges", access: authenticated, cache: cachePrivate, answer: answerChanges,
	singles: []string{"since"},
}

// maxWholeChanges is how many products' changes are made in memory, some 160 KB, so that they have a length.
// More are sent while they are made.
const maxWholeChanges = 1000

// answerChanges finds the generation that the changes are since, and compares it with the one that answers.
// What of the body is made in memory is made here, since until then it may turn out that the earlier
// generation cannot be read.
func answerChanges(x *exchange) (r representation, p *problem) {
	since := x.params.since()
	if p = x.params.problem(); p != nil {
		return r, p
	}
	var changes *runtime.Changes
	ctx := x.request.Context()
	before, err := x.server.options.Current.AcquireOlder(ctx, x.generation, since)
	if err == nil {
		x.earlier = before
		err = x.readEarlier(func() error {
			changes = runtime.Compare(before, x.generation, func(int) bool { return ctx.Err() == nil })
			if changes == nil || changes.Len() > maxWholeChanges {
				return ctx.Err()
			}
			body := bytes.NewBuffer(x.body)
			err := changes.Write(body, false)
			x.body = body.Bytes()
			return err
		})
	}
	switch {
	case err != nil:
		return r, x.sinceProblem(since, err)
	case changes.Len() <= maxWholeChanges:
		return representation{body: x.body}, nil
	}
	return representation{mediaType: applicationJSON, stream: func(w io.Writer) error {
		return x.readEarlier(func() error { return changes.Write(w, false) })
	}}, nil
}

func (p *params) since() string {
	since := single(p, "since", "", func(text string) (string, error) {
		if !sinceForm.MatchString(text) {
			return "", errSince
		}
		return text, nil
	})
	if since == "" && len(p.faults) == 0 { // else its name may be misspelt
		p.fault("since", "is needed: what X-Snapshot said of an earlier answer")
	}
	return since
}

// readEarlier calls what reads both generations. Damage of the earlier one is its error, and known from then
// on; damage of the one that answers is a panic, as everywhere.
func (x *exchange) readEarlier(read func() error) error {
	err := x.earlier.Guard(read)
	var body *runtime.DamagedBody
	if errors.As(err, &body) && body.Name != x.earlier.Name() {
		panic(body)
	}
	if body != nil || errors.As(err, new(*snapshot.CorruptError)) {
		x.server.options.Current.ReportDamage(x.earlier, err)
		err = fmt.Errorf("%w: %w", runtime.ErrUnreadable, err)
	}
	return err
}

// sinceProblem says why there are no changes since a generation.
func (x *exchange) sinceProblem(since string, err error) *problem {
	why := ""
	switch {
	case errors.Is(err, runtime.ErrAmbiguous):
		return &problem{invalidRequest, "since: the hashes of several generations begin with " + since +
			": give all 64 digits of one"}
	case errors.Is(err, runtime.ErrGone):
		why = "is not kept here, or not any more"
	case errors.As(err, new(*snapshot.VersionError)):
		why = "has a format that this server does not read"
	case errors.Is(err, runtime.ErrUnreadable):
		why = "is damaged"
	default:
		if x.request.Context().Err() == nil { // else it is the client that went away
			x.server.options.Log.Error("the generation that changes are asked since cannot be opened",
				requestAttr(x.id), "error", err)
		}
		return errPanic
	}
	return &problem{gone, "since: the generation " + since + " " + why + ": take everything anew from " +
		x.server.addresses.home + "/v1/export"}
}
