package targetconflict

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/kube/olm"
)

// Refused is the error of a run that fixes nothing because its target contradicts the settings.
type Refused struct {
	Flag      olm.Target
	Conflicts []Conflict
	// File are the settings.
	File string
}

func (e *Refused) Error() string {
	c := e.Conflicts[0]
	more := ""
	if n := len(e.Conflicts) - 1; n > 0 {
		more = fmt.Sprintf(" (and %s)", words.Count(n, "other entry"))
	}
	return fmt.Sprintf("nothing was fixed: --target %s contradicts `target: %s` in %s:%d%s, which decides for %s. Run without --target, or add --set-target to change the settings in the same run",
		nameOf(e.Flag), c.Entry.Target, e.File, c.Entry.Line, more, words.First(shownPlaces, c.Places))
}

// SetWrite returns the change of the settings that gives each entry in conflict the target of the command line; ok is false if there is
// none. The error says why the settings cannot be changed: then nothing must be written.
func SetWrite(in Input, all []Conflict, read func(file string) ([]byte, error)) (write commit.Write, ok bool, err error) {
	if len(all) == 0 {
		return write, false, nil
	}
	if in.File == "" {
		return write, false, fmt.Errorf("nothing was fixed: --set-target cannot change settings that are not a file of this work tree: change the target %s in line %d there, and run again", all[0].Entry.Target, all[0].Entry.Line)
	}
	var entries []settings.TargetEntry
	for _, c := range all {
		if len(c.Others) > 0 {
			return write, false, fmt.Errorf("nothing was fixed: --set-target would also change the target of %s, which the paths do not select: "+
				"add an override with `target: %s` to %s for the paths of this run, or run without paths", words.First(shownPlaces, c.Others), nameOf(in.Flag), in.File)
		}
		entries = append(entries, c.Entry)
	}
	before, err := read(in.File)
	if err != nil {
		return write, false, fmt.Errorf("nothing was fixed: --set-target: %s: %w", in.File, err)
	}
	after, err := settings.SetTargets(in.File, before, entries, nameOf(in.Flag))
	if err != nil {
		return write, false, fmt.Errorf("nothing was fixed: --set-target: %w", err)
	}
	return commit.Write{Path: in.File, Before: before, After: after, Order: commit.OrderGrant}, true, nil
}

// splitPlace splits file:line.
func splitPlace(place string) (file string, line int) {
	i := strings.LastIndexByte(place, ':')
	line, _ = strconv.Atoi(place[i+1:])
	return place[:i], line
}
