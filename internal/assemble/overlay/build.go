package overlay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/refusal"
)

// Options configure [Build].
type Options struct {
	// Files is the repository, with the bytes from which the units were read; nil builds nothing.
	Files   render.Files
	Workers *render.Workers
	// Wanted selects the built documents to keep; those with a parsed source object are always kept.
	Wanted func(*manifest.Document) bool
	// Skipped returns the files of built objects that are not kept because their documents were not parsed, by kind, namespace, and name;
	// nil for none.
	Skipped func(kind, namespace, name string) []string
	// WantedOfCharts selects the documents to keep of those that charts of kustomizations render; nil keeps all.
	WantedOfCharts func(*manifest.Document) bool
	// Mentions reports whether a text, such as a patch, may make an object relevant; nil: none does.
	Mentions func([]byte) bool
	// Generated reports whether an object of a kind that is generated from a text may be relevant, and Added whether any object may be
	// to which a text is added. Nil: none is.
	Generated func(kind string, text []byte) bool
	Added     func(text []byte) bool
	// Edits are what applications write into the kustomizations at the roots of units, by unit.
	Edits map[*objects.Unit]*Edit
	// Unrestricted reports units whose kustomizations can read files of the repository outside of their folders; nil for none.
	Unrestricted func(*objects.Unit) bool
	// Also reports further units that must be built; nil for none.
	Also func(*objects.Unit) bool
	// Known returns a unit that was built earlier and is unchanged, or nil. Must reports units that are built although they
	// are applied as their files are. Both functions can be nil.
	Known func(*objects.Unit) *objects.Unit
	Must  func(*objects.Unit) bool
	// Defer reports units that are built only when they are needed, see [Defer]; it takes the contents of their inputs. Nil
	// defers none.
	Defer func(u *objects.Unit, inputs [][]byte) bool
	// Reports reports whether anything is reported about a file; nil: about all.
	Reports func(file string) bool
	// Refusals finds why kustomize refuses units, before they are built; nil finds none.
	Refusals *refusal.Walk
	// Lifted reports whether commands build a unit that reads files outside of its folders without the restriction; nil for none.
	Lifted func(*objects.Unit) bool
}

// Build returns the units as they are applied. Units that are applied as their files are stay the same; the others are
// built in parallel. A unit that cannot be built stays as its files are and has a problem with the reason. The error is
// that of ctx.
func Build(ctx context.Context, units []*objects.Unit, o Options) ([]*objects.Unit, error) {
	if o.Files == nil || o.Refusals == nil && !slices.ContainsFunc(units, o.needed) {
		return units, ctx.Err()
	}
	b := &builder{Options: o, ctx: ctx, files: newSnapshot(o.Files, units, o.Edits)}
	built := slices.Clone(units)
	err := parallel.DoWaiting(ctx, len(units), func(i int) {
		if known := o.unchanged(units[i]); known != nil {
			built[i] = known
		} else if refused := o.refused(units[i]); refused != nil {
			built[i] = refused
		} else if o.needed(units[i]) {
			built[i] = b.build(units[i])
		}
	})
	return built, err
}

// BuildEdited builds one unit with its edit. The error is why it cannot be built.
func BuildEdited(ctx context.Context, u *objects.Unit, o Options) (*objects.Unit, error) {
	b := &builder{Options: o, ctx: ctx, files: newSnapshot(o.Files, []*objects.Unit{u}, o.Edits)}
	output, err := b.kustomize(u, o.Edits[u].withFiles(b.files, nil), render.ForUnit)
	var fault *render.Error
	switch {
	case errors.As(err, &fault):
		return nil, errors.New(firstLines(fault.Message)) // the file exists only in memory
	case err != nil:
		return nil, err
	case len(output.left) > 0:
		return nil, errors.New(output.left[0].Reason)
	}
	return b.match(u, output), nil
}

func (o Options) unchanged(u *objects.Unit) *objects.Unit {
	if o.Known == nil {
		return nil
	}
	return o.Known(u)
}

// needed reports whether a unit must be built: its kustomizations change objects, and one of these may be relevant.
func (o Options) needed(u *objects.Unit) bool {
	if o.Must != nil && o.Must(u) {
		return true
	}
	if u.Kind != objects.KustomizationUnit || len(u.Transforms) == 0 {
		return false
	}
	return len(u.Objects) > 0 || o.mentioned(u) || slices.ContainsFunc(u.Kustomizations, func(k *objects.Kustomization) bool {
		return o.generates(k) || o.Added != nil && slices.ContainsFunc(objects.AddedTexts(k.Doc), o.Added)
	}) || o.Also != nil && o.Also(u)
}

// generates reports whether a kustomization may generate a relevant object, from its own text and the files that its generators name. The
// contents of a Secret are encoded, so they have no word of a rule.
func (o Options) generates(k *objects.Kustomization) bool {
	if o.Generated == nil {
		return false
	}
	for field, kind := range objects.Generated(k.Doc) {
		if o.Generated(kind, k.Doc.Bytes()) || kind != "Secret" && slices.ContainsFunc(k.NonObjectInputs, func(in objects.NonObjectInput) bool {
			data, err := o.Files.ReadFile(in.File)
			return in.Field == field && err == nil && o.Generated(kind, data)
		}) {
			return true
		}
	}
	return false
}

// mentioned reports whether the kustomizations may produce a relevant object.
func (o Options) mentioned(u *objects.Unit) bool {
	if o.Mentions == nil {
		return false
	}
	if edit := o.Edits[u]; edit != nil && o.Mentions(edit.Data) {
		return true
	}
	return slices.ContainsFunc(u.Kustomizations, func(k *objects.Kustomization) bool { return o.Mentions(k.Doc.Bytes()) }) ||
		slices.ContainsFunc(u.Renderings, func(r objects.Rendering) bool { return charts.Mentions(o.Files, r, o.Mentions) }) ||
		slices.ContainsFunc(u.NonObjectInputs, func(c objects.NonObjectInput) bool {
			data, err := o.Files.ReadFile(c.File)
			return err == nil && !c.Content() && o.Mentions(data)
		})
}

type builder struct {
	Options
	ctx   context.Context
	files *snapshot
}

// build builds one unit. A component that nothing lists is built by itself if it has objects, which its patches can change.
func (b *builder) build(u *objects.Unit) *objects.Unit {
	root := u.Kustomizations[0]
	unlisted := problemAt(root, "no kustomization in the repository lists this component, and it cannot be built "+
		"by itself: its objects were checked as they are in their files")
	if root.IsComponent() && len(u.Objects) == 0 {
		return u.Unbuilt(unlisted)
	}
	edit := b.Edits[u]
	reason := render.ForUnit
	if b.Known != nil {
		reason = render.ForProof
	}
	text, err := b.kustomize(u, edit.withFiles(b.filesOf(u), nil), reason)
	switch {
	case err != nil && root.IsComponent():
		return u.Unbuilt(unlisted)
	case err != nil:
		return u.Unbuilt(edit.relocate(failure(u, err)))
	}
	return b.withLeftOut(b.match(u, text), text, edit)
}

// kustomize builds the folder of a unit from the given files. Entries outside the repository are left out; the unit records them. If an object
// is relevant whose file only kustomize knows, it is built again with the files of objects.
func (b *builder) kustomize(u *objects.Unit, files render.Files, reason render.Reason) (*buildOutput, error) {
	output, err := b.kustomizeOnce(u, files, reason)
	if errors.Is(err, errNoFile) {
		return b.kustomizeOnce(u, files, render.ForOrigins)
	}
	return output, err
}

func (b *builder) kustomizeOnce(u *objects.Unit, files render.Files, reason render.Reason) (*buildOutput, error) {
	var left []render.LeftOut
	var notes []string
	objects, err := render.Kustomize(b.ctx, files, u.Root, render.KustomizeOptions{
		Workers: b.Workers, NoLines: true, NoFiles: reason != render.ForOrigins, Reason: reason, Unrestricted: b.isUnrestricted(u), Remote: func(render.RemoteError) {},
		Absent:  b.absent(u),
		LeftOut: func(l render.LeftOut) { left = append(left, l) },
		Note:    func(note string) { notes = append(notes, note) },
	})
	if err != nil {
		return nil, err
	}
	output, err := b.read(u, objects)
	if err != nil {
		return nil, err
	}
	output.left, output.notes = left, notes
	return output, nil
}

func problemAt(k *objects.Kustomization, message string) objects.Problem {
	return objects.Problem{Position: objects.Position{File: k.Path, Line: 1, Column: 1}, Message: message}
}

// failure returns the problem of a unit that could not be built.
func failure(u *objects.Unit, err error) objects.Problem {
	problem := problemAt(u.Kustomizations[0], "")
	reason := err.Error()
	var fault *render.Error
	var remote *render.RemoteError
	switch {
	case errors.As(err, &fault) && !isIn(u, fault.File):
		reason = fault.Error() // the user has no such file
	case errors.As(err, &fault):
		problem.Position.File, reason = fault.File, fault.Message
		problem.Position.Line, problem.Position.Column = max(fault.Line, 1), max(fault.Column, 1)
	case errors.As(err, &remote) && isIn(u, remote.File):
		problem.Position = objects.Position{File: remote.File, Line: remote.Line, Column: remote.Column}
		reason = remote.Reason()
	}
	problem.Message = notBuilt(u.Name, firstLines(reason))
	return problem
}

func notBuilt(name, reason string) string {
	return fmt.Sprintf("%s cannot be built, so its objects were checked as they are in their files: %s", name, reason)
}

// isIn reports whether a file is one of the kustomizations of a unit.
func isIn(u *objects.Unit, file string) bool {
	return slices.ContainsFunc(u.Kustomizations, func(k *objects.Kustomization) bool { return k.Path == file })
}

// maxReason is the number of bytes of kustomize's message that are shown, because the message can quote a whole file.
const maxReason = 600

func firstLines(reason string) string {
	text := bytes.TrimSpace([]byte(reason))
	if len(text) > maxReason {
		text = append(text[:maxReason:maxReason], "…"...)
	}
	return string(bytes.ToValidUTF8(text, nil))
}
