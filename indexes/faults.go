package indexes

import (
	"errors"
	"fmt"

	"sabine/indexes/snapshot"
)

// maxFaults is how many faults of one section are told in full. A damaged column has as many as documents.
const maxFaults = 20

// A faultList gathers the faults of one section.
type faultList struct {
	file   *snapshot.File
	kind   snapshot.Kind
	faults []error
	more   int // not in faults
}

// add notes what the format promises at an offset from the start of the section.
func (l *faultList) add(offset int64, format string, args ...any) {
	l.addIn(l.kind, offset, format, args...)
}

// addIn is add for another section, which this one is held against.
func (l *faultList) addIn(kind snapshot.Kind, offset int64, format string, args ...any) {
	if len(l.faults) == maxFaults {
		l.more++
		return
	}
	c := l.file.Cursor(kind)
	c.Fail(int(offset), fmt.Sprintf(format, args...))
	l.faults = append(l.faults, c.Err())
}

// err returns the faults, joined; nil when there are none.
func (l *faultList) err() error {
	if l.more == 0 {
		return errors.Join(l.faults...)
	}
	return errors.Join(append(l.faults, fmt.Errorf("and %d more faults of section %s", l.more, l.kind))...)
}
