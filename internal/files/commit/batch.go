package commit

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/salint/salint/internal/base/words"
)

// Write is one change of one file.
type Write struct {
	Path string
	// Before is the content from which the change was computed; nil if there was no file.
	Before []byte
	// After is the new content; nil removes the file.
	After []byte
	// Order sorts the writes: a write is on the disk before one of a higher order begins. Writes of one order keep their sequence.
	Order int
}

// The orders of changes. A run can be interrupted between two files. In this order, no identity ever lacks its permissions, and
// no kustomization lists a file that does not exist.
const (
	OrderGrant = iota
	OrderKustomization
	OrderOther
	OrderRemoval
)

// Batch is what one run writes.
type Batch struct {
	// Writes can change a file several times; each then begins with the content that the one before it leaves.
	Writes []Write
	// Record is kept beside the temporary files until all writes are done, for the next run: see [Writer.Recover]. It can be empty.
	Record []byte
	// KeepRecords keeps the records of earlier runs that Recover returned.
	KeepRecords bool
}

// ChangedError reports a file that changed after its edit was computed.
type ChangedError struct{ Path string }

func (e *ChangedError) Error() string {
	return e.Path + " was changed by another program in the meantime and was left as it is"
}

// errNothing ends the message of an error before the first write.
var errNothing = errors.New("nothing was written")

// PartialError reports that writing stopped after the first files were in place.
type PartialError struct {
	// Done and NotDone are the paths in the order of writing. A file that is written several times is done with the last time.
	Done, NotDone []string
	// Kept is the temporary folder that stays with Batch.Record; "" if there is none.
	Kept string
	Err  error
}

func (e *PartialError) Error() string {
	next := "run again"
	if e.Kept != "" {
		next += " with the same flags: the next run prunes what " + e.Kept + " records, and removes this folder"
	}
	return fmt.Sprintf("%v; %d of %d files were written: %s; not written: %s; %s", e.Err,
		len(e.Done), len(e.Done)+len(e.NotDone), listed(e.Done), listed(e.NotDone), next)
}

func (e *PartialError) Unwrap() error { return e.Err }

// maxListed is the number of files that an error names.
const maxListed = 20

func listed(files []string) string {
	return cmp.Or(words.First(maxListed, files), "none")
}
