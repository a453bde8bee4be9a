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

func readChanges(x *exchange) *problem {
	x.since = single(&x.params, "since", "", func(text string) (string, error) {
		if !sinceForm.MatchString(text) {
			return "", errSince
		}
		return text, nil
	})
	if x.since == "" && len(x.params.faults) == 0 { // else its name may be misspelt
		x.params.fault("since", "is needed: what X-Snapshot said of an earlier answer")
	}
	return x.params.problem()
}

// maxWholeChanges is how many products' changes are made in memory, some 160 KB, so that they have a length. More are sent
// while they are made.
const maxWholeChanges = 1000

// findChanges finds the generation that the changes are since, and compares it with the one that answers. What of the body is
// made in memory is made here, since until then it may turn out that the earlier generation cannot be read.
func findChanges(x *exchange) *problem {
	ctx := x.request.Context()
	before, err := x.server.current.AcquirePast(ctx, x.generation, x.since)
	if err != nil {
		return x.sinceProblem(err)
	}
	x.before = before
	err = x.readBefore(func() error {
		x.changes = runtime.Compare(before, x.generation, func(int) bool { return ctx.Err() == nil })
		if x.changes == nil {
			return ctx.Err()
		}
		if x.changes.Len() > maxWholeChanges {
			return nil
		}
		body := bytes.NewBuffer(x.body)
		err := x.changes.Write(body, false)
		x.body = body.Bytes()
		return err
	})
	if err != nil {
		return x.sinceProblem(err)
	}
	return nil
}

func answerChanges(x *exchange) representation {
	if x.changes.Len() <= maxWholeChanges {
		return representation{body: x.body}
	}
	return representation{mediaType: applicationJSON, stream: func(w io.Writer) error {
		return x.readBefore(func() error { return x.changes.Write(w, false) })
	}}
}

// readBefore calls what reads both generations. Damage of the earlier one is its error, and known from then on; damage of the
// one that answers is a panic, as everywhere.
func (x *exchange) readBefore(read func() error) error {
	err := x.before.Guard(read)
	var body *runtime.DamagedBody
	if errors.As(err, &body) && body.Name != x.before.Name() {
		panic(body)
	}
	if body != nil || errors.As(err, new(*snapshot.CorruptError)) {
		x.server.current.Blame(x.before, err)
		err = fmt.Errorf("%w: %w", runtime.ErrUnreadable, err)
	}
	return err
}

// sinceProblem says why there are no changes since a generation.
func (x *exchange) sinceProblem(err error) *problem {
	why := ""
	switch {
	case errors.Is(err, runtime.ErrAmbiguous):
		return &problem{invalidRequest, "since: the hashes of several generations begin with " + quote(x.since) + ": give all 64 digits of one"}
	case errors.Is(err, runtime.ErrGone):
		why = "is not kept here, or not any more"
	case errors.As(err, new(*snapshot.VersionError)):
		why = "has a format that this server does not read"
	case errors.Is(err, runtime.ErrUnreadable):
		why = "is damaged"
	default:
		if x.request.Context().Err() == nil { // else it is the client that went away
			x.server.log.Error("the generation that changes are asked since cannot be opened", requestAttr(x.id), "error", err)
		}
		return errPanic
	}
	return &problem{gone, "since: the generation " + quote(x.since) + " " + why + ": take everything anew from " + x.server.home + "/v1/export"}
}
