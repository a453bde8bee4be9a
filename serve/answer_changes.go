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

// sincePattern matches a value of the parameter since: the 16 digits of X-Snapshot, or a complete hash.
var sincePattern = regexp.MustCompile(`^[0-9a-f]{16}([0-9a-f]{48})?$`)

var getChanges = &operation{
	name: "getChanges", access: authenticated, cache: cachePrivate, answer: answerChanges,
	singles: []string{"since"},
}

// maxWholeChanges is the maximum number of changed products that are rendered in memory (about 160 KB), which
// gives the response a Content-Length. A larger response is streamed.
const maxWholeChanges = 1000

// answerChanges compares the generation that since names with the current one. Up to maxWholeChanges are
// rendered here, so that damage in the earlier generation results in a problem. More are streamed.
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
	return representation{stream: func(w io.Writer) error {
		return x.readEarlier(func() error { return changes.Write(w, false) })
	}}, nil
}

func (p *params) since() string {
	since := single(p, "since", "", func(text string) (string, error) {
		if !sincePattern.MatchString(text) {
			return "", errors.New("is invalid: expected 16 or 64 lower-case hex digits, as in X-Snapshot and in the changes")
		}
		return text, nil
	})
	if since == "" && len(p.faults) == 0 { // another fault may be an unknown parameter, a misspelt "since"
		p.fault("since", "missing: expected the value of X-Snapshot of an earlier response")
	}
	return since
}

// readEarlier calls a function that reads both generations. It reports damage in the earlier generation and
// returns it as an error. Damage in the current generation causes a panic, as everywhere.
func (x *exchange) readEarlier(read func() error) error {
	err := x.earlier.Guard(read)
	var damaged *runtime.DamagedBody
	if errors.As(err, &damaged) && damaged.Name != x.earlier.Name() {
		panic(damaged)
	}
	if damaged != nil || errors.As(err, new(*snapshot.CorruptError)) {
		x.server.options.Current.ReportDamage(x.earlier, err)
		err = fmt.Errorf("%w: %w", runtime.ErrUnreadable, err)
	}
	return err
}

// sinceProblem returns the problem for an error from the earlier generation.
func (x *exchange) sinceProblem(since string, err error) *problem {
	why := ""
	switch {
	case errors.Is(err, runtime.ErrAmbiguous):
		return &problem{invalidRequest, "since: the hashes of several generations begin with " + since +
			": specify all 64 digits"}
	case errors.Is(err, runtime.ErrGone):
		why = "is not available on this server"
	case errors.As(err, new(*snapshot.VersionError)):
		why = "has a format that this server cannot read"
	case errors.Is(err, runtime.ErrUnreadable):
		why = "is damaged"
	default:
		if x.request.Context().Err() == nil { // otherwise the client has disconnected
			x.server.options.Log.Error("the earlier generation of a request for changes cannot be opened",
				requestAttr(x.id), "error", err)
		}
		return errPanic
	}
	return &problem{gone, "since: the generation " + since + " " + why + ": get all products again from " +
		x.server.addresses.home + "/v1/export"}
}
