package indexes

import "context"

// A halt ends the writing of indexes with its context, also in the middle of a sort or of a walk over all documents, which
// take many seconds in a large catalogue and have no error to return. It does so by a panic that Builder.Write, and nobody
// else, recovers from: what was cut short is never looked at again. A nil halt never ends anything. It is for one goroutine.
type halt struct {
	ctx   context.Context
	looks uint
}

// A halted is what a halt panics with.
type halted struct{ err error }

// look ends the work when the context has ended. For what takes a microsecond or more.
func (h *halt) look() {
	if h == nil || h.ctx == nil {
		return
	}
	if err := h.ctx.Err(); err != nil {
		panic(halted{err})
	}
}

// step is look for what takes less: it looks once in a thousand times.
func (h *halt) step() {
	if h == nil {
		return
	}
	if h.looks++; h.looks%1024 == 0 {
		h.look()
	}
}

// caught makes the panic of a halt an error. It is deferred.
func caught(err *error) {
	switch p := recover().(type) {
	case nil:
	case halted:
		*err = p.err
	default:
		panic(p)
	}
}
