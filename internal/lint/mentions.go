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
)

// mentions searches all files for the names of all accounts at once, when the first rule asks about one.
type mentions struct {
	tree  Tree
	files *contents
	// asked are the searches of fixes.
	asked   searches
	units   []*objects.Unit
	options repo.WalkOptions

	// applying replaces the units by those that are applied.
	applying sync.Once
	once     sync.Once
	// written are the names of accounts in files, by the names under which the accounts are applied.
	written map[string][]string
	found   map[string][]objects.Mention
	// rendered are the meanings of the lines of templates in found.
	rendered map[line][]meaning
	// byFile are the units by the files of their objects; nil until the first question about an account with two names.
	indexed sync.Once
	byFile  map[string][]*objects.Unit
	err     error

	// created are the accounts that texts create; nil until the first question about one.
	created func(context.Context) ([]createdAccount, error)

	// repository answers which of several accounts of one name a place means, as fixers ask it. It remembers answers, so asking
	// guards it, and the units that read a file.
	asking     sync.Mutex
	repository *engine.Repository
	readers    map[string][]*objects.Unit
}

func newMentions(tree Tree, files *contents, units []*objects.Unit, options repo.WalkOptions) *mentions {
	m := &mentions{
		tree: tree, files: files, units: units, options: options,
		repository: &engine.Repository{Units: units, Read: tree.Read},
	}
	m.created = m.findCreated()
	return m
}

// of returns the places that mention an account by its applied name, or by a name that it has in a file: a kustomization that
// changes the name of an account also changes references to it. Places that name another account are left out. If the object that
// asks is the account, so are places that mean another account of the same name, and fields that no unit applies.
func (m *mentions) of(ctx context.Context, account objects.Account, asks *objects.Object) ([]objects.Mention, error) {
	m.apply()
	m.once.Do(func() {
		err := errNotSearched // for further questions after a panic, which must not get an empty answer
		defer func() { m.err = err }()
		m.written = m.accounts()
		m.found, err = m.searchFor(m.names()).In(ctx, m.texts(ctx))
		if err != nil {
			return
		}
		err = errNotSearched
		m.resolveValues()
		m.rendered = m.fillIn(m.found)
		err = nil
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
			if name != account.Name && m.meansOther(place, account.Name) || m.isOfOther(asks, place, name, account) {
				continue
			}
			place.Use = m.useOf(asks, place, account)
			if place.OtherUnits = m.otherUnits(asks, place, name, account); len(place.OtherUnits) > 0 && m.isRenamedIn(asks, place.OtherUnits) {
				place.Use = objects.UsesRenamed
			}
			found = append(found, m.meant(place, objects.Account{Namespace: account.Namespace, Name: name})...)
		}
	}
	return found, nil
}

var errNotSearched = errors.New("the search for the names of accounts failed")

// searchFor returns a search for names in the files that were read.
func (m *mentions) searchFor(names []string) objects.MentionSearch {
	return objects.MentionSearch{Names: names, Known: m.files.Files}
}

// apply builds the deferred units, because a name in a file can stand for another one in any unit.
func (m *mentions) apply() {
	m.applying.Do(func() {
		m.units = objects.AllApplied(m.units)
		m.repository = &engine.Repository{Units: m.units, Read: m.tree.Read}
	})
}

// names returns all names to search for.
func (m *mentions) names() []string {
	names := slices.Concat(slices.Collect(maps.Values(m.written))...)
	slices.Sort(names)
	return slices.Compact(names)
}

// accounts returns the names of the accounts that are applied or that an extension names, each with the names that stand for it in
// files. The name itself is one of them.
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

// accountIn returns the name of an account, or of the account that an extension names; "" for other objects.
func accountIn(o *objects.Object) string {
	switch o.Kind {
	case "ServiceAccount":
		return o.Name
	case "ClusterExtension":
		if extension, ok := o.Extension(); ok {
			return extension.Account.Name
		}
	}
	return ""
}

// texts returns the contents of all files: manifests, which are read again if their content was not kept, and other files that can
// name an account, such as scripts and documentation.
func (m *mentions) texts(ctx context.Context) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		m.contentsOf(slices.Concat(m.files.Names, m.excluded(ctx), m.others(ctx)))(yield)
	}
}

// contentsOf returns the contents of files. One that cannot be read adds to the errors.
func (m *mentions) contentsOf(names []string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, name := range names {
			data, kept := m.files.texts.files[name]
			if !kept {
				var err error
				if data, err = m.files.readText(m.tree, name); err != nil {
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

// excluded returns the manifests that the configuration excludes. They have no findings, but the accounts that they name are in use.
func (m *mentions) excluded(ctx context.Context) []string {
	if len(m.options.Exclude) == 0 {
		return nil
	}
	options := m.options
	options.Exclude, options.Hidden = nil, nil
	return slices.DeleteFunc(m.walk(ctx, options), m.files.Has)
}

// others returns the names of the files that are not manifests, sorted. They can be larger than memory, so they are read one by
// one.
func (m *mentions) others(ctx context.Context) []string {
	options := m.options
	options.Others, options.Exclude, options.Hidden = true, nil, nil
	return m.walk(ctx, options)
}

// walk returns the names of the files of a walk, sorted.
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
