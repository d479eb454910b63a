package uses

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/assemble/consumers"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Index answers which places use what. Nothing is searched before the first question. Its methods can be called concurrently.
type Index struct {
	from Sources

	// mu guards everything below: questions are answered one at a time.
	mu sync.Mutex
	// units are the units that are applied, and repo looks up what they apply; nil before the first question that needs them, because
	// they are built for it.
	units []*objects.Unit
	repo  *applied.Repository
	// readers are the units whose result depends on a file.
	readers map[string][]*objects.Unit

	manifests, otherFiles fileList

	names    names
	accounts *accountPlaces
	created  *createdAccounts
	granted  *grantedElsewhere

	protected *protectedFiles
	copied    *copies
	named     *namedFiles
	consumed  *consumers.Index
	// folders are the manifests by their folders.
	folders map[string][]string
	// bindings are those that were not read.
	bindings []loader.Unread
}

// New returns an index.
func New(from Sources) *Index {
	from.Units = objects.NotReplaced(from.Units)
	return &Index{from: from}
}

// accountPlaces are the places that name the accounts of the repository.
type accountPlaces struct {
	// written are the names of accounts in files, by the names under which the accounts are applied.
	written map[string][]string
	found   map[string][]Place
	// rendered are the meanings of the lines of templates in found.
	rendered map[line][]meaning
	err      error
}

// OfAccount returns the places that mention an account by its applied name, or by a name that it has in a file: a kustomization that
// changes the name of an account also changes references to it. Places that name another account are left out. If the object that
// asks is the account, so are places that mean another account of the same name, and fields that no unit applies.
func (i *Index) OfAccount(ctx context.Context, account objects.Account, asks *objects.Object) ([]Place, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.accounts == nil {
		i.accounts = &accountPlaces{err: errNotSearched} // for further questions after a panic, which must not get an empty answer
		i.accounts = i.findAccounts(ctx)
	}
	if i.accounts.err != nil {
		return nil, i.accounts.err
	}
	names, known := i.accounts.written[account.Name]
	if !known {
		return nil, fmt.Errorf("the account %s is not in the repository", account.Name)
	}
	var found []Place
	for _, name := range names {
		for _, place := range i.accounts.found[name] {
			if name != account.Name && i.meansOther(place, account.Name) || i.isOfOther(asks, place, name, account) ||
				i.isOfOtherNamespace(place, account) {
				continue
			}
			place.Use = i.useOf(asks, place, account)
			if place.OtherUnits = i.otherUnits(asks, place, name, account); len(place.OtherUnits) > 0 && i.isRenamedIn(asks, place.OtherUnits) {
				place.Use = UsesRenamed
			}
			found = append(found, i.accounts.meant(place, objects.Account{Namespace: account.Namespace, Name: name})...)
		}
	}
	return found, nil
}

var errNotSearched = errors.New("the search for the names of accounts failed")

// findAccounts searches all files for the names of all accounts at once.
func (i *Index) findAccounts(ctx context.Context) *accountPlaces {
	i.apply()
	a := &accountPlaces{written: i.accountNames()}
	names := slices.Concat(slices.Collect(maps.Values(a.written))...)
	if a.found, a.err = i.search(ctx, names); a.err == nil {
		i.resolveValues(a.found)
		a.rendered = i.fillIn(a.found)
	}
	return a
}

// apply builds the deferred units, because a name in a file can stand for another one in any unit.
func (i *Index) apply() {
	if i.repo != nil {
		return
	}
	i.units = objects.AllApplied(i.from.Units)
	i.repo = &applied.Repository{Units: i.units, Read: i.from.Tree.Read}
	i.readers = map[string][]*objects.Unit{}
}

// accountNames returns the names of the accounts that are applied or that an extension names, each with the names that stand for it in
// files. The name itself is one of them.
func (i *Index) accountNames() map[string][]string {
	written := map[string][]string{}
	add := func(applied, name string) {
		if !slices.Contains(written[applied], name) {
			written[applied] = append(written[applied], name)
		}
	}
	for _, unit := range i.units {
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
	case rbac.KindServiceAccount:
		return o.Name
	case "ClusterExtension":
		if extension, ok := o.Extension(); ok {
			return extension.Account.Name
		}
	}
	return ""
}
