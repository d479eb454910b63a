package overlay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// Options say what to build, and by what.
type Options struct {
	// Files is the repository, with the bytes that the units were made of; nil builds nothing.
	Files   render.Files
	Workers *render.Workers
	// Wanted picks the documents of interest among what was built; those that a parsed object became are kept anyway.
	Wanted func(*manifest.Document) bool
	// Mentions tells of a text, such as a patch, whether it may make an object one of interest; nil: none does.
	Mentions func([]byte) bool
	// Edits are what applications write into the kustomizations at the roots of units, by unit.
	Edits map[*objects.Unit]*Edit
	// Also tells of further units that have to be built; it may be nil.
	Also func(*objects.Unit) bool
	// Known gives a unit that was built earlier and is the same still, or nil. Must tells of units that are built although they
	// are applied as their files stand. Both may be nil themselves.
	Known func(*objects.Unit) *objects.Unit
	Must  func(*objects.Unit) bool
}

// Build gives the units as they are applied. Those that are applied as their files stand are the same as before; the
// others are built, several at a time. A unit that cannot be built stays as its files stand and has a problem that says so.
// The error is that of ctx.
func Build(ctx context.Context, units []*objects.Unit, o Options) ([]*objects.Unit, error) {
	if o.Files == nil || !slices.ContainsFunc(units, o.needed) {
		return units, ctx.Err()
	}
	b := &builder{Options: o, ctx: ctx, files: newSnapshot(o.Files, units, o.Edits)}
	built := slices.Clone(units)
	err := parallel.Do(ctx, len(units), func(i int) {
		if known := o.known(units[i]); known != nil {
			built[i] = known
		} else if o.needed(units[i]) {
			built[i] = b.build(units[i])
		}
	})
	return built, err
}

func (o Options) known(u *objects.Unit) *objects.Unit {
	if o.Known == nil {
		return nil
	}
	return o.Known(u)
}

// needed tells whether a unit has to be built: something changes its objects, and one of them may be of interest.
func (o Options) needed(u *objects.Unit) bool {
	if o.Must != nil && o.Must(u) {
		return true
	}
	if u.Kind != objects.KustomizationUnit || len(u.Transforms) == 0 {
		return false
	}
	return len(u.Objects) > 0 || o.mentioned(u) || o.Also != nil && o.Also(u)
}

// mentioned tells whether what the kustomizations do may bring an object of interest about.
func (o Options) mentioned(u *objects.Unit) bool {
	if o.Mentions == nil {
		return false
	}
	if edit := o.Edits[u]; edit != nil && o.Mentions(edit.Data) {
		return true
	}
	return slices.ContainsFunc(u.Kustomizations, func(k *objects.Kustomization) bool { return o.Mentions(k.Doc.Bytes()) }) ||
		slices.ContainsFunc(u.Claims, func(c objects.Claim) bool {
			data, err := o.Files.ReadFile(c.File)
			return err == nil && !c.Content() && o.Mentions(data)
		})
}

type builder struct {
	Options
	ctx   context.Context
	files *snapshot
}

// build builds one unit.
func (b *builder) build(u *objects.Unit) *objects.Unit {
	if root := u.Kustomizations[0]; root.IsComponent() {
		return u.Unbuilt(problemAt(root, "no kustomization of the repository lists this component, and it cannot be built "+
			"by itself: its objects were checked as they stand in their files"))
	}
	edit := b.Edits[u]
	text, err := b.kustomize(edit.withFiles(b.files, nil), u.Root)
	if err != nil {
		return u.Unbuilt(edit.relocate(failure(u, err)))
	}
	return b.match(u, text)
}

// run has kustomize build a folder. Entries that lead out of the repository are left out: the unit knows them.
func (b *builder) kustomize(files render.Files, dir string) (*buildOutput, error) {
	objects, err := render.Kustomize(b.ctx, files, dir, render.KustomizeOptions{
		Workers: b.Workers, NoLines: true, Remote: func(render.RemoteError) {},
	})
	if err != nil {
		return nil, err
	}
	return b.read(dir, objects)
}

func problemAt(k *objects.Kustomization, message string) objects.Problem {
	return objects.Problem{Position: objects.Position{File: k.Path, Line: 1, Column: 1}, Message: message}
}

// failure says why a unit is not judged as it is applied.
func failure(u *objects.Unit, err error) objects.Problem {
	problem := problemAt(u.Kustomizations[0], "")
	reason := err.Error()
	var fault *render.Error
	var remote *render.RemoteError
	switch {
	case errors.As(err, &fault) && !isIn(u, fault.File):
		reason = fault.Error() // a place that the user has no file for
	case errors.As(err, &fault):
		problem.Position.File, reason = fault.File, fault.Message
		problem.Position.Line, problem.Position.Column = max(fault.Line, 1), max(fault.Column, 1)
	case errors.As(err, &remote) && isIn(u, remote.File):
		problem.Position = objects.Position{File: remote.File, Line: remote.Line, Column: remote.Column}
		reason = fmt.Sprintf("%s wants %q, which is not in the repository: nothing is fetched", remote.Field, remote.Address)
	}
	problem.Message = fmt.Sprintf("not built, so the objects of %s were checked as they stand in their files: %s", u.Name, firstLines(reason))
	return problem
}

// isIn tells whether a file is one of the kustomizations of a unit.
func isIn(u *objects.Unit, file string) bool {
	return slices.ContainsFunc(u.Kustomizations, func(k *objects.Kustomization) bool { return k.Path == file })
}

// maxReason is how much of kustomize's message is shown: it may quote what it could not read.
const maxReason = 600

func firstLines(reason string) string {
	text := bytes.TrimSpace([]byte(reason))
	if len(text) > maxReason {
		text = append(text[:maxReason:maxReason], "…"...)
	}
	return string(bytes.ToValidUTF8(text, nil))
}
