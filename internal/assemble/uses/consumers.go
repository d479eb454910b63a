package uses

import (
	"context"
	"slices"

	"github.com/salint/salint/internal/assemble/consumers"
	"github.com/salint/salint/internal/files/pathset"
	"github.com/salint/salint/internal/kube/objects"
)

// Consumer returns a program that builds, applies, or writes a file and that salint does not build, or an application that applies it at
// another revision; ok is false if there is none. Texts are read for the first question.
func (i *Index) Consumer(ctx context.Context, file string) (c consumers.Consumer, ok bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.consumed == nil {
		i.consumed = i.newConsumers(ctx)
	}
	if c, ok = i.consumed.Of(file); ok {
		return c, true
	}
	if c, ok = i.consumed.OfRevision(file); ok && !i.isApplied(file) {
		return c, true
	}
	return consumers.Consumer{}, false
}

// HelmRuns returns the commands that render the chart in a folder with further values.
func (i *Index) HelmRuns(ctx context.Context, chart string) []consumers.HelmRun {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.consumed == nil {
		i.consumed = i.newConsumers(ctx)
	}
	return i.consumed.HelmRuns(chart)
}

// isApplied reports whether an application applies a file as it is checked out.
func (i *Index) isApplied(file string) bool {
	return slices.ContainsFunc(i.from.Units, func(u *objects.Unit) bool {
		return (u.Kind == objects.ApplicationUnit || len(u.Appliers) > 0) && u.Reads(file)
	})
}

func (i *Index) newConsumers(ctx context.Context) *consumers.Index {
	others, _ := i.others(ctx)
	excluded, _ := i.excluded(ctx)
	texts := slices.Concat(others, i.from.Collection.Names, excluded)
	from := consumers.Sources{
		Texts: texts, Paths: pathset.Of(slices.Clone(texts)), Kustomizations: i.from.Parsed.Kustomizations, Remotes: i.from.Tree.Remotes(),
		Read: func(file string) []byte {
			data, err := i.from.Text(file)
			if err != nil {
				return nil // what cannot be read is no program, and manifests are reported
			}
			return data
		},
	}
	if i.from.Applications != nil {
		from.Applications = i.from.Applications.Result.Applications
	}
	return consumers.New(from)
}
