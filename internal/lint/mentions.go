package lint

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// mentions looks the names of all accounts up in all files at once, when the first rule asks about one.
type mentions struct {
	tree    Tree
	library *library
	units   []*objects.Unit
	options repo.WalkOptions

	once *sync.Once
	// written are the names under which accounts stand in files, by those under which they are applied.
	written map[string][]string
	found   map[string][]objects.Mention
	// rendered is what the lines of templates in found mean.
	rendered map[line][]meaning
	err      error
}

func newMentions(tree Tree, library *library, units []*objects.Unit, options repo.WalkOptions) mentions {
	return mentions{tree: tree, library: library, units: units, options: options, once: new(sync.Once)}
}

// of lists who mentions an account, by the name under which it is applied or one under which it stands in a file: where a
// kustomization changes the one, it changes what refers to the other. Places that are known to name another account are none.
func (m *mentions) of(ctx context.Context, account objects.Account) ([]objects.Mention, error) {
	m.once.Do(func() {
		m.written = m.accounts()
		if m.found, m.err = objects.Mentions(ctx, m.texts(ctx), m.names()); m.err == nil {
			m.rendered = m.fillIn(m.found)
		}
	})
	if m.err != nil {
		return nil, m.err
	}
	names, known := m.written[account.Name]
	if !known {
		return nil, fmt.Errorf("the account %s is not in the repository", account.Name)
	}
	var found []objects.Mention
	for _, name := range names {
		for _, place := range m.found[name] {
			found = append(found, m.meant(place, objects.Account{Namespace: account.Namespace, Name: name})...)
		}
	}
	return found, nil
}

// names are all names to look for.
func (m *mentions) names() []string {
	names := slices.Concat(slices.Collect(maps.Values(m.written))...)
	slices.Sort(names)
	return slices.Compact(names)
}

// all looks any names up. The error is a *fixers.Refusal where a file could not be searched.
func (m *mentions) all(ctx context.Context, names []string) (map[string][]objects.Mention, error) {
	m.err = nil
	found, err := objects.Mentions(ctx, m.texts(ctx), names)
	m.fillIn(found)
	if err == nil && m.err != nil {
		err = &engine.Refusal{Reason: fmt.Sprintf("not every file could be searched (%v), so it is not known who uses the account: "+
			"nothing is done about it", m.err)}
	}
	return found, err
}

// accounts are the names of the accounts that are applied or that an extension names, each with those that stand for it in
// files; the name itself is among them.
func (m *mentions) accounts() map[string][]string {
	written := map[string][]string{}
	add := func(applied, name string) {
		if !slices.Contains(written[applied], name) {
			written[applied] = append(written[applied], name)
		}
	}
	for _, unit := range m.units {
		for _, o := range unit.Objects {
			name := accountIn(o)
			if name == "" {
				continue
			}
			add(name, name)
			if source := o.Source(); source != nil && accountIn(source) != "" {
				add(name, accountIn(source))
			}
		}
	}
	return written
}

// accountIn is the name of an account, or of the one that an extension names; "" for other objects.
func accountIn(o *objects.Object) string {
	switch o.Kind {
	case "ServiceAccount":
		return o.Name
	case "ClusterExtension":
		if extension, ok := olm.ReadExtension(o.Node); ok {
			return extension.Account.Name
		}
	}
	return ""
}

// texts gives all files: the manifests, reading those again that were not kept, and what else may name an account, such
// as scripts and documentation.
func (m *mentions) texts(ctx context.Context) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, name := range slices.Concat(m.library.names, m.excluded(ctx), m.others(ctx)) {
			data, kept := m.library.texts[name]
			if !kept {
				var err error
				if data, err = m.read(name); err != nil {
					m.err = errors.Join(m.err, err)
					continue
				}
			}
			if !yield(name, data) {
				return
			}
		}
	}
}

// texter is a tree that reads of binary files no more than it takes to know them.
type texter interface {
	Text(path string) ([]byte, error)
}

func (m *mentions) read(name string) ([]byte, error) {
	if tree, ok := m.tree.(texter); ok && !m.library.has(name) {
		return tree.Text(name)
	}
	return m.tree.Read(name)
}

// tracker is a tree that knows of manifests which are part of it although they are ignored.
type tracker interface {
	TrackedIgnored(ctx context.Context) []string
}

// excluded names the manifests that the configuration excludes, or .gitignore although git tracks them: nothing is said
// about them, but what they name is in use.
func (m *mentions) excluded(ctx context.Context) []string {
	var names []string
	if len(m.options.Exclude) > 0 {
		options := m.options
		options.Exclude = nil
		names = m.walk(ctx, options)
	}
	if tree, ok := m.tree.(tracker); ok {
		names = append(names, tree.TrackedIgnored(ctx)...)
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool {
		_, read := slices.BinarySearch(m.library.names, name)
		return read
	})
}

// others names the files that are no manifests, sorted. There may be many more of them than can be kept in memory, so
// they are read one by one when their turn comes.
func (m *mentions) others(ctx context.Context) []string {
	options := m.options
	options.Others, options.Exclude = true, nil
	return m.walk(ctx, options)
}

// walk names the files of a walk, sorted.
func (m *mentions) walk(ctx context.Context, options repo.WalkOptions) []string {
	var mu sync.Mutex
	var names []string
	_, err := m.tree.Walk(ctx, options, func(f repo.File) {
		mu.Lock()
		defer mu.Unlock()
		names = append(names, f.Path)
	})
	m.err = errors.Join(m.err, err)
	slices.Sort(names)
	return names
}
