package commit

import (
	"fmt"
	"path/filepath"
	"time"
)

// A file that another program holds open is tried again: editors and scanners hold files for moments only.
const (
	triesInUse = 20
	waitInUse  = 50 * time.Millisecond
)

// whileInUse repeats an operation as long as it fails because another program holds a file open.
func whileInUse(operation func() error) (err error) {
	for range triesInUse {
		if err = operation(); err == nil || !isInUse(err) {
			return err
		}
		time.Sleep(waitInUse)
	}
	return err
}

// checkInUse returns an error before the first move if another program keeps a file from being replaced or removed.
func (c *commit) checkInUse() error {
	for _, s := range c.staged {
		if s.info == nil || s.follows {
			continue
		}
		file := filepath.Join(c.writer.tree.Root, filepath.FromSlash(s.target))
		if err := whileInUse(func() error { return heldOpen(file) }); isInUse(err) {
			return fmt.Errorf("%s: another program holds the file open: close it, and run again: %w", s.Path, err)
		}
	}
	return nil
}
