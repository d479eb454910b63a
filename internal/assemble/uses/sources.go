package uses

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"

	"github.com/salint/salint/internal/assemble/applications"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
)

// Sources are what an index is made of.
type Sources struct {
	Tree loader.Tree
	// Collection and Parsed are what was read of the tree.
	Collection *loader.Collection
	Parsed     loader.Parsed
	// Text returns the content of a file of the tree, and nil for a binary file that is no manifest.
	Text func(file string) ([]byte, error)
	// Asked are the manifests that may hold an object of the API groups of which fixes ask.
	Asked map[string]bool
	Units []*objects.Unit
	// Applications are the applications that apply the units.
	Applications *applications.Set
	// Walk are the options with which the tree was read.
	Walk repo.WalkOptions
}

// fileList is the result of a walk through the tree. It is nil before the first walk, and after one that failed.
type fileList []string

// walk returns the names of the files of a walk, sorted.
func (l *fileList) walk(ctx context.Context, tree loader.Tree, options repo.WalkOptions) ([]string, error) {
	if *l != nil {
		return *l, nil
	}
	var mu sync.Mutex
	names := []string{}
	options.Exclude, options.Hidden = nil, nil
	_, err := tree.Walk(ctx, options, func(f repo.File) {
		mu.Lock()
		defer mu.Unlock()
		names = append(names, f.Path)
	})
	slices.Sort(names)
	if err == nil {
		*l = names
	}
	return names, err
}

// excluded returns the manifests that the configuration excludes. They have no findings, but what they name is in use.
func (i *Index) excluded(ctx context.Context) ([]string, error) {
	if len(i.from.Walk.Exclude) == 0 {
		return nil, nil
	}
	all, err := i.manifests.walk(ctx, i.from.Tree, i.from.Walk)
	return slices.DeleteFunc(slices.Clone(all), i.from.Collection.Has), err
}

// others returns the files that are not manifests. They can be larger than memory, so they are read one by one.
func (i *Index) others(ctx context.Context) ([]string, error) {
	options := i.from.Walk
	options.Others = true
	return i.otherFiles.walk(ctx, i.from.Tree, options)
}

// texts returns the contents of all files: manifests, which are read again if their content was not kept, and other files that can
// name an account, such as scripts and documentation. Failed gets the errors of files that cannot be read.
func (i *Index) texts(ctx context.Context, failed *error) iter.Seq2[string, []byte] {
	excluded, err := i.excluded(ctx)
	others, more := i.others(ctx)
	*failed = errors.Join(*failed, err, more)
	return i.contents(slices.Concat(i.from.Collection.Names, excluded, others), failed)
}

// contents returns the contents of files. Failed gets the errors of those that cannot be read.
func (i *Index) contents(names []string, failed *error) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, name := range names {
			data, err := i.from.Text(name)
			if err != nil {
				*failed = errors.Join(*failed, err)
			} else if !yield(name, data) {
				return
			}
		}
	}
}
