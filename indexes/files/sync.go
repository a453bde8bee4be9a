package files

import (
	"errors"
	"os"
)

// SyncDir makes the names in a folder durable: what was made, renamed or removed there outlives a loss of power.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
