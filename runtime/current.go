package runtime

import (
	"context"
	"log/slog"
	"time"

	"sabine/indexes/snapshot"
)

// Current is the generation in force, and the watch over the folder that it comes from.
type Current struct{ unexported int }

// NewCurrent returns a Current of a folder that serves nothing yet.
func NewCurrent(folder snapshot.Folder, log *slog.Logger) *Current { panic("unwritten") }

// Load opens what CURRENT names and puts it in force; when that is damaged and nothing serves yet, the newest good
// generation instead. It returns an error when there are generations but none is good, and none serves.
func (c *Current) Load(ctx context.Context) error { panic("unwritten") }

// Watch loads again whenever CURRENT changes, or reload delivers, until the context ends. It notices a change within
// a second, on file systems without change events too.
func (c *Current) Watch(ctx context.Context, reload <-chan struct{}) { panic("unwritten") }

// Acquire returns the generation in force, or nil when there is none. It stays mapped until Release, whatever is
// switched meanwhile.
func (c *Current) Acquire() *Generation { panic("unwritten") }

// State says what serves and why it may not be what CURRENT names.
func (c *Current) State() State { panic("unwritten") }

// Close gives the generation in force up.
func (c *Current) Close() error { panic("unwritten") }

// State is the condition of a server's data.
type State struct {
	Status   string    // "waiting": nothing serves yet; "ready"; "degraded": something else than CURRENT names serves
	Reason   string    // why it is degraded or waiting
	Name     string    // file name of the generation in force
	Hash     string    // its content hash
	Products int       // in it
	Since    time.Time // when it was put in force
	Switches int       // how many switches there were
	Refused  int       // how many generations were refused
	Bytes    int64     // size of the mapping
}
