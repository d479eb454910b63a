package render

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"

	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/render/protocol"
)

// KustomizeOptions configure how a folder is built.
type KustomizeOptions struct {
	Limits Limits
	// Workers are used with their limits; without them, a process is started for this build.
	Workers *Workers
	// Remote is called after the build for every remote resource, base and component, and for every remote file in a generated
	// object, in the order in which kustomize reads them; the folder is built without them. A remote patch, plugin or schema is always
	// a *RemoteError, and without this function all remote references are.
	Remote func(RemoteError)
	// LeftOut is called for every entry without which the folder is built because salint cannot build it: a program, a remote
	// chart, something that is not in the repository. Without this function, such an entry is an *Error.
	LeftOut func(LeftOut)
	// Absent are entries without which the folder is built, because they change objects that it lacks without a network.
	Absent []Entry
	// Note is called with what about charts was not checked. It can be nil.
	Note func(string)
	// Unrestricted lets kustomizations read files of the tree outside of their folders, as `--load-restrictor LoadRestrictionsNone` and
	// Flux do. What is outside of the tree is never read.
	Unrestricted bool
	// Reason is counted with the build.
	Reason Reason
	// NoLines leaves out the lines of origins, for which the files must be read.
	NoLines bool
	// NoFiles leaves out the files of origins, but for objects that a chart renders or a kustomization generates: kustomize needs up to half
	// of the time of a build to record them, because it records each transformation of each object as well.
	NoFiles bool
}

// Kustomize builds a folder as `kustomize build` does, using nothing outside the tree: remote resources, Helm charts and
// plugins that are programs are refused before kustomize sees them. Bases can be anywhere in the tree, other files at or
// below the kustomization that references them, as in kustomize, unless the options lift that.
//
// The objects are in kustomize's order, each with the file it was read from, or the kustomization that generates it. The
// error is an *Error, a *RemoteError, a *LimitError or that of the context.
func Kustomize(ctx context.Context, tree Files, dir string, o KustomizeOptions) ([]rendered.Object, error) {
	dir = path.Clean(dir)
	if !fs.ValidPath(dir) {
		return nil, &Error{File: dir, Message: Outside}
	}
	dir, err := Resolve(tree, dir)
	if err != nil {
		return nil, err
	}
	workers, done := o.Workers.orNew(o.Limits)
	defer done()
	limit := maxBuildTime * workers.limits.Time
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	a := &attempts{
		ctx: limited, files: tree, workers: workers, options: o, skip: map[Entry]string{}, charts: map[string]inflation{},
	}
	for _, entry := range o.Absent {
		a.skip[entry] = entry.absent()
	}
	b, result, err := a.build(dir)
	switch {
	case err != nil && ctx.Err() == nil && limited.Err() != nil:
		return nil, tooMuch("%s: stopped: building it with its charts takes longer than %s", dir, limit)
	case err != nil:
		return nil, err
	}
	for _, remote := range b.remotes {
		o.Remote(remote)
	}
	for _, left := range b.left {
		o.LeftOut(left)
	}
	if note := b.namespaces.note(); note != "" {
		b.notes = append(b.notes, note)
	}
	for _, note := range b.notes {
		if o.Note != nil {
			o.Note(note)
		}
	}
	return b.objects(result.Objects)
}

// maxBuildTime is the time for a folder with its charts and all attempts, as a multiple of the limit for one build.
const maxBuildTime = 3

// run builds the folder.
func (b *kustomizeBuild) run() (*protocol.Result, error) {
	request := protocol.Request{Kustomize: &protocol.Kustomize{Dir: path.Join(protocol.Root, b.dir), Unrestricted: b.unrestricted}}
	result, err := b.workers.run(b.ctx, job{request: request, files: b.answer, follow: b.follow, prepare: b.prepare, again: b.again(), reason: b.reason})
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", b.dir, err)
	case result.Error != nil && b.refusal != nil:
		return nil, b.refusal // kustomize's own error is a consequence of the refusal
	case result.Error != nil:
		return nil, b.failure(result.Error.Message)
	}
	return result, nil
}

// again returns a function that forgets what was read, for a build that begins again.
func (b *kustomizeBuild) again() func() {
	before := *b
	return func() {
		b.limit, b.asked, b.refusal, b.root = before.limit, before.asked, before.refusal, before.root
		b.left, b.notes, b.fromCharts, b.remotes, b.namespaces = before.left, before.notes, before.fromCharts, before.remotes, before.namespaces
		b.inflated, b.wasRead, b.listed, b.keepOrigins = map[string][]byte{}, nil, nil, false
	}
}

// failure returns kustomize's message at the kustomization that was built.
func (b *kustomizeBuild) failure(message string) error {
	file := b.dir
	if b.root != "" {
		file = b.root
	}
	return &Error{File: file, Line: 1, Message: "kustomize: " + b.shown(protocol.OneLine(message)), whole: message}
}

// objects reads the objects that kustomize built, and removes the origin annotations.
func (b *kustomizeBuild) objects(built []json.RawMessage) ([]rendered.Object, error) {
	origins := newOrigins(b)
	objects := make([]rendered.Object, 0, len(built))
	for _, data := range built {
		object, err := decodeObject(data)
		if err != nil {
			return nil, b.failure(err.Error())
		}
		objects = append(objects, rendered.Object{Origin: origins.take(object), JSON: object})
	}
	return objects, nil
}
