package lint

import (
	"context"
	"errors"
	"fmt"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// lookups answers the questions of fixers about the repository: it is the [engine.Lookups] of a run.
type lookups struct {
	run *run
	ctx context.Context
	// excluded are the answers about new files: a plan is merged several times, and its new files stay the same.
	excluded map[string]leftOut
}

// leftOut is what keeps a new file from being applied.
type leftOut struct{ place, why string }

func (l *lookups) Target(u *objects.Unit, o *objects.Object) olm.Target {
	return l.run.judging.targets.targetOf(u, o)
}

func (l *lookups) References(names []string) (map[string][]uses.Place, error) {
	found, err := l.run.judging.uses.Named(l.ctx, names)
	return found, refusedIfUnread(err)
}

func (l *lookups) GroupReferences(names []string) (map[string][]uses.Place, error) {
	found, err := l.run.judging.uses.InObjects(l.ctx, names)
	return found, refusedIfUnread(err)
}

// refusedIfUnread returns the error as a refusal if files were not read.
func refusedIfUnread(err error) error {
	if unread := (*uses.UnreadError)(nil); errors.As(err, &unread) {
		return engine.AsRefusal(err)
	}
	return err
}

func (l *lookups) Unread(words []string) (place, why string) {
	return l.run.judging.uses.UnreadWith(l.ctx, words)
}

func (l *lookups) WriteProtected(file string) (why string) {
	return l.run.judging.uses.WriteProtected(l.ctx, file)
}

func (l *lookups) BundleNeeds(u *objects.Unit, extension *objects.Object, identity rbac.Subject) (engine.BundleNeeds, error) {
	return l.run.needs(l.ctx, u, extension, identity)
}

func (l *lookups) Rebuild(contents map[string][]byte, parsed map[string]*manifest.File, also func(*objects.Unit) bool) ([]*objects.Unit, error) {
	units, err := loader.Rebuild(l.ctx, l.run.Assembly(), l.run.Units, loader.Change{Contents: contents, Parsed: parsed, Built: also})
	l.run.Session.parsed.Add(l.run.Snapshot, units, contents)
	return units, err
}

func (l *lookups) Earlier(u *objects.Unit, subject rbac.Subject) []*objects.Unit {
	return l.run.Delivery.Earlier(u, subject)
}

func (l *lookups) Unrenderable(file string) (place, why string) {
	if found, is := l.run.Applications.Unresolved(file); is {
		return found.Position.String(), found.Message
	}
	return "", ""
}

func (l *lookups) Excluded(file string) (place, why string) {
	known, ok := l.excluded[file]
	if !ok {
		known = l.run.leftOut(file)
		l.excluded[file] = known
	}
	return known.place, known.why
}

// leftOut returns the ignore rule or application filter that excludes a new file, and its effect.
func (r *run) leftOut(file string) leftOut {
	if place, is := r.Snapshot.Tree.Ignored(file); is {
		return leftOut{place, "git does not commit it"}
	}
	if place, by, is := r.Applications.IgnoredBySource(file); is {
		return leftOut{place, fmt.Sprintf("the %s does not apply it", by)}
	}
	return leftOut{}
}

func (l *lookups) AppliedByName(target string) (uses.FileReference, bool) {
	return l.run.judging.uses.NameOfFile(l.ctx, target)
}

func (l *lookups) FilesIn(dir string) []string { return l.run.judging.uses.FilesIn(dir) }
