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

const (
	usesSuffix   = ".used"         // of the file with the last uses, which is next to the key file
	saveInterval = 5 * time.Second // time between two saves of the last uses
)

// A use contains the statistics of a key. Reloading the file does not change it.
type use struct {
	requests atomic.Int64 // number of requests with the key, including refused requests
	minute   atomic.Int64 // minute of the last accepted request since the Unix epoch; 0 if there is none yet
}

// record records an accepted request. It writes the minute at most once a minute, so that processors can
// share the cache line.
func (u *use) record(now time.Time) {
	minute := now.Unix() / 60
	for before := u.minute.Load(); before < minute; before = u.minute.Load() {
		if u.minute.CompareAndSwap(before, minute) {
			return
		}
	}
}

// saveUses writes the last uses to the file if any of them is later than in the file. Several servers can
// share the file: if two servers write at the same moment, the next save restores the lost uses.
func (s *Store) saveUses() error {
	entries := *s.entries.Load()
	saved, err := LastUses(s.path)
	if err != nil && !errors.Is(err, errDamaged) { // overwrite a damaged file
		return err
	}
	merged, later := make(map[string]time.Time, len(entries)), false
	for _, e := range entries { // drop the uses of deleted keys
		last := saved[e.caller.Key] // the zero time, before 1970, if there is none
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

// LastUses returns the minute of the last accepted request for each key, which servers record in a file next
// to the key file. It returns nil if that file is missing.
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
