package render

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"

	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/render/wire"
)

// KustomizeOptions say how a folder is built.
type KustomizeOptions struct {
	Limits Limits
	// Workers are used if there are any, with their limits; else a process is started for this build.
	Workers *Workers
	// Remote is called for every resource, base and component from elsewhere, and every file from elsewhere that goes into a
	// generated object, in the order in which kustomize reads them, and the folder is built without. A remote patch, plugin
	// or schema is an error all the same, a *RemoteError, and so is everything remote when there is no function.
	Remote func(RemoteError)
	// NoLines leaves out the lines of origins, which take reading the files.
	NoLines bool
}

// Kustomize builds a folder as `kustomize build` does, with nothing from outside of the tree: remote resources, Helm charts
// and plugins that are programs are refused before kustomize sees them. Bases may lie anywhere in the tree, and files at
// or below the kustomization that names them, as kustomize itself has it.
//
// The objects come in kustomize's order, each with the file it was read from, or the kustomization that generates it. The
// error is an *Error, a *RemoteError, a *LimitError or that of the context.
func Kustomize(ctx context.Context, tree Files, dir string, o KustomizeOptions) ([]rendered.Object, error) {
	dir = path.Clean(dir)
	if !fs.ValidPath(dir) {
		return nil, &Error{File: dir, Message: "lies outside of the repository"}
	}
	dir, err := resolve(tree, dir)
	if err != nil {
		return nil, err
	}
	workers, done := o.Workers.orOwn(o.Limits)
	defer done()
	b := &build{files: tree, dir: dir, limit: workers.limits.Input, remote: o.Remote, noLines: o.NoLines}
	request := wire.Request{Kustomize: &wire.Kustomize{Dir: path.Join(wire.Root, dir)}}
	result, err := workers.run(ctx, request, b.answer)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", dir, err)
	case result.Error != nil && b.refusal != nil:
		return nil, b.refusal // kustomize's own error is what it made of it
	case result.Error != nil:
		return nil, b.failure(result.Error.Message)
	}
	return b.objects(result.Objects)
}

// failure is kustomize's message at the kustomization that was built.
func (b *build) failure(message string) error {
	file := b.dir
	if b.root != "" {
		file = b.root
	}
	return &Error{File: file, Line: 1, Message: "kustomize: " + message}
}

// objects reads what kustomize built, and takes out the annotations that tell where it came from.
func (b *build) objects(built []json.RawMessage) ([]rendered.Object, error) {
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
