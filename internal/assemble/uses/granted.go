package uses

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/grants"
	"github.com/salint/salint/internal/files/pathset"
	"github.com/salint/salint/internal/files/textpaths"
	"github.com/salint/salint/internal/kube/objects"
)

// grantedElsewhere are the bindings outside of the manifests that salint reads.
type grantedElsewhere struct {
	all []grants.Grant
	err error
}

// GrantedElsewhere returns the places outside of the manifests that salint reads that bind a role to an account, or can bind one once their
// variables are filled in: commands, texts, and objects of which a controller makes bindings.
func (i *Index) GrantedElsewhere(ctx context.Context, account objects.Account) ([]objects.Position, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.granted == nil {
		i.granted = &grantedElsewhere{err: errNotSearched}
		i.granted = i.findGranted(ctx)
	}
	if i.granted.err != nil {
		return nil, i.granted.err
	}
	var failed error
	named := func(file string) bool {
		if failed == nil && !i.isSearched(account.Name) {
			_, failed = i.search(ctx, []string{account.Name})
		}
		return i.canFillIn(file, account)
	}
	var places []objects.Position
	for _, grant := range i.granted.all {
		if grant.CanBind(account, named) {
			places = append(places, grant.Position)
		}
	}
	return places, failed
}

func (i *Index) isSearched(name string) bool { _, known := i.names.found[name]; return known }

// canFillIn reports whether a text can get the name of an account for its variables: from itself, or from another text of the same branch of folders,
// such as the variables of a module.
func (i *Index) canFillIn(file string, account objects.Account) bool {
	dir := path.Dir(file)
	return slices.ContainsFunc(i.names.found[account.Name], func(p Place) bool {
		if p.File == file {
			return !p.Comment && p.CanName(account)
		}
		isText := p.Ref == "" && !p.Comment && !textpaths.IsDocument(p.File) && !objects.IsKustomizationFile(p.File) && p.CanName(account)
		other := path.Dir(p.File)
		return isText && (dir == "." || other == dir || strings.HasPrefix(other, dir+"/") || other != "." && strings.HasPrefix(dir, other+"/"))
	})
}

func (i *Index) findGranted(ctx context.Context) *grantedElsewhere {
	found := &grantedElsewhere{}
	others, err := i.others(ctx)
	if err != nil {
		return &grantedElsewhere{err: err}
	}
	paths := pathset.Of(slices.Concat(i.from.Collection.Names, others))
	var unreadable error // is reported for the files by themselves
	for file, data := range i.texts(ctx, &unreadable) {
		found.all = append(found.all, grants.Read(file, data, paths.HasFolder)...)
	}
	return found
}
