package unread

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// Submodule is a submodule that is not checked out, with its address and commit, and what is said about it.
type Submodule struct{ Dir, Address, Commit, Message string }

// State is one of the two states of a repository.
type State struct {
	Repository *loader.Repository
	// Selected reports whether the paths of the question contain a file.
	Selected func(file string) bool
	// Part are further reasons why the state is not known as a whole.
	NotRead []string
	// Submodules are those that are not checked out.
	Submodules []Submodule
	// Text returns the content of a file; it can be nil.
	Text func(file string) ([]byte, error)
	// Files are the files and folders; it can be nil.
	Files render.Files

	earlier *State // the state with which this one is compared, for the later one
}

// Part is a reason why a state is not known as a whole.
type Part struct {
	Message string
	// Place is the first place with the reason, and Places the number of places. The file is "" if there is none.
	Place  objects.Position
	Places int
	// Before and After say in which of the states.
	Before, After bool
	// New is true if the later state has the reason at a place where the earlier one does not, so that new power may hide in it.
	New bool
	// Changed is true if both do, with another revision of a remote source or other settings for it.
	Changed bool
	// From and To are the revisions of a remote source, if they differ. Unreleased is set if no release makes the new one.
	From, To   string
	Unreleased bool
	// Deciding are the settings that differ and can decide what is granted.
	Deciding []string
	// Edited are the changed files in what neither state shows, sorted, so that new power may hide in them.
	Edited []string

	follows   bool                  // see reason
	elsewhere []*gitops.Application // each that takes it from another repository
}

// Count is the number of parts as a sentence has it: applications with objects from other repositories are counted as in answers of other commands.
func (p Parts) Count() string {
	taking, others := map[gitops.Definition]bool{}, 0
	for _, n := range p {
		for _, a := range n.elsewhere {
			taking[a.Definition()] = true
		}
		if len(n.elsewhere) == 0 {
			others++
		}
	}
	const from = " with objects from other repositories"
	switch {
	case len(taking) == 0:
		return words.CountOf(others, "place was", "places were")
	case others == 0:
		return words.CountOf(len(taking), "application"+from+" was", "applications"+from+" were")
	}
	return words.Count(len(taking), "application") + from + " and " + words.Count(others, "other place") + " were"
}

// Unread reports whether the change brings content that decides and cannot be read.
func (n Part) Unread() bool {
	return n.New || n.Unreleased || len(n.Deciding) > 0 || len(n.Edited) > 0
}

// IsNewerRevision reports whether all that differs is the revision of a source that was not read before either.
func (n Part) IsNewerRevision() bool { return n.Changed && n.To != "" && !n.Unread() }

// Severity is that of something unknown: off if the change does not concern it.
func (n Part) Severity() finding.Severity {
	switch {
	case n.Unread():
		return finding.Warning
	case n.Changed:
		return finding.Note
	}
	return finding.Off
}

// Sentence says what is unknown, and since when.
func (n Part) Sentence() string {
	text := n.Message
	if n.Places > 1 {
		text += fmt.Sprintf(" (in %d places)", n.Places)
	}
	switch {
	case n.New:
		return "cannot be read since this change: " + text
	case !n.After:
		return "not read at the revision only: " + text
	case n.Unreleased:
		return fmt.Sprintf("not read, at %s, which no release of it makes (%s before): %s", short(n.To), short(n.From), text)
	case len(n.Deciding) > 0:
		return fmt.Sprintf("not read, with other settings that can decide what it grants (%s): %s", words.First(3, n.Deciding), text)
	case len(n.Edited) > 0:
		return fmt.Sprintf("not read, although %s changed: %s", words.First(3, n.Edited), text)
	case n.IsNewerRevision():
		return n.Revision()
	case n.Changed:
		return "not read, with other settings: " + text
	}
	return "not read: " + text
}

// Revision names a source with its revisions.
func (n Part) Revision() string {
	text := strings.TrimSuffix(strings.TrimSuffix(n.Message, " is remote and was not checked"), ", at "+n.To)
	return fmt.Sprintf("%s (%s, and %s before)", text, short(n.To), short(n.From))
}

// short returns the beginning of a commit, and other revisions as they are.
func short(revision string) string {
	if len(revision) == commitLength && strings.Trim(revision, "0123456789abcdef") == "" {
		return revision[:12]
	}
	return revision
}

const commitLength = 40
