package keys

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"
	"time"

	"sabine/serve/statefile"
)

const usesSuffix = ".used"

// A use is what is remembered of a key while the server runs, whatever becomes of the file.
type use struct {
	requests atomic.Int64 // that carried the key
	minute   atomic.Int64 // of the last request that was let in, since the Unix epoch; 0: none yet
}

// note remembers a request that was let in. Within a minute it writes nothing, so that processors share what
// they read.
func (u *use) note(now time.Time) {
	minute := now.Unix() / 60
	for before := u.minute.Load(); before < minute; before = u.minute.Load() {
		if u.minute.CompareAndSwap(before, minute) {
			return
		}
	}
}

// saveUses writes the last uses when they are later than those of the file, so that servers can share it. Two
// that write at the same moment lose nothing: the next look finds what is missing.
func (s *Store) saveUses() error {
	entries := *s.entries.Load()
	saved, err := LastUses(s.path)
	if err != nil && !errors.Is(err, errDamaged) { // what is damaged is written anew
		return err
	}
	merged, later := make(map[string]time.Time, len(entries)), false
	for _, e := range entries { // what is saved of keys that are gone goes too
		last := saved[e.caller.Key]
		if minute := e.caller.use.minute.Load(); minute > max(0, last.Unix()/60) {
			last, later = time.Unix(minute*60, 0).UTC(), true
		}
		if !last.IsZero() {
			merged[e.caller.Key] = last
		}
	}
	if !later {
		return nil
	}
	b, err := json.Marshal(merged)
	if err != nil {
		return err
	}
	return statefile.Write(s.path+usesSuffix, b)
}

var errDamaged = errors.New("not a JSON object of times")

// LastUses returns when each key of a key file was last let in, to the minute, as servers have noted it
// beside the file. It is nil while none has.
func LastUses(keyFile string) (map[string]time.Time, error) {
	path := keyFile + usesSuffix
	b, err := statefile.Read(path, maxFileSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("last uses: %w", err)
	}
	var last map[string]time.Time
	if err := json.Unmarshal(b, &last); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, errDamaged, err)
	}
	return last, nil
}
