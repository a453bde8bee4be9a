package indexes

import (
	"errors"
	"fmt"

	"sabine/indexes/snapshot"
)

// maxFaults is how many faults of one structure are told in full. A damaged column has as many as documents.
const maxFaults = 20

// A faultList gathers the faults of one structure.
type faultList struct {
	faults []error
	more   int // not in faults
}

// add notes what the format promises at an offset from the start of a section.
func (l *faultList) add(kind snapshot.Kind, offset int64, want string) {
	if len(l.faults) == maxFaults {
		l.more++
		return
	}
	l.faults = append(l.faults, corrupt(kind, offset, want))
}

// err returns the faults, joined; nil when there are none.
func (l *faultList) err() error {
	if l.more == 0 {
		return errors.Join(l.faults...)
	}
	return errors.Join(append(l.faults, fmt.Errorf("and %d more faults of this structure", l.more))...)
}

// checked returns the faults of a section that a check tells.
func checked(kind snapshot.Kind, check func(fault func(offset int64, want string))) error {
	var l faultList
	check(func(offset int64, want string) { l.add(kind, offset, want) })
	return l.err()
}

// corrupt returns a fault of a section: what the format promises at an offset from the section's start. Open and Check
// turn the offset into that of the file and name the file.
func corrupt(kind snapshot.Kind, offset int64, want string) error {
	return &snapshot.CorruptError{Section: kind, Offset: offset, Want: want}
}

// inFile returns the faults of an error as those of a file: with its path, and with their offsets from its start. They
// are faults of the given section; 0 leaves the section to them.
func inFile(f *snapshot.File, kind snapshot.Kind, err error) error {
	switch e := err.(type) { //nolint:errorlint // faults of the structures, joined, are taken apart here; none is wrapped
	case nil:
		return nil
	case *snapshot.CorruptError:
		moved := *e
		moved.Path = f.Path()
		if kind != 0 {
			moved.Section = kind
		}
		for _, s := range f.Sections() {
			if s.Kind == moved.Section {
				moved.Offset += s.Offset
			}
		}
		return &moved
	case interface{ Unwrap() []error }:
		var moved []error
		for _, part := range e.Unwrap() {
			moved = append(moved, inFile(f, kind, part))
		}
		return errors.Join(moved...)
	}
	return err
}
