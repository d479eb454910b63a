package uses

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/grants"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/pathset"
	"github.com/salint/salint/internal/files/textpaths"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// grantedElsewhere are the bindings outside of the manifests that salint reads.
type grantedElsewhere struct {
	all []grants.Grant
	err error
}

// GrantedElsewhere returns the places outside of the manifests that salint reads that bind a role to an account, or can bind one once their
// variables are filled in: commands, texts, and objects of which a controller makes bindings. What binds a role to everyone is none.
func (i *Index) GrantedElsewhere(ctx context.Context, account objects.Account) ([]objects.Position, error) {
	return i.grantedElsewhere(ctx, account, func(grants.Grant) bool { return true })
}

// BoundElsewhere is [Index.GrantedElsewhere] without what binds only the use of security context constraints, with which nothing can be installed.
func (i *Index) BoundElsewhere(ctx context.Context, account objects.Account) ([]objects.Position, error) {
	return i.grantedElsewhere(ctx, account, func(grant grants.Grant) bool { return !grant.OfConstraints })
}

func (i *Index) grantedElsewhere(ctx context.Context, account objects.Account, counts func(grants.Grant) bool) ([]objects.Position, error) {
	who := rbac.Account(account).Identity()
	who.Groups = slices.DeleteFunc(slices.Clone(who.Groups), func(group string) bool { return group == "system:authenticated" })
	found, err := i.GrantsElsewhere(ctx, who)
	var places []objects.Position
	for _, grant := range found {
		if counts(grant) {
			places = append(places, grant.Position)
		}
	}
	return places, err
}

// GrantsElsewhere returns what binds a role to an identity, or can bind one, outside of the manifests that salint reads.
func (i *Index) GrantsElsewhere(ctx context.Context, who rbac.Identity) ([]grants.Grant, error) {
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
	name := who.User[strings.LastIndexByte(who.User, ':')+1:]
	named := func(file string) bool {
		if failed == nil && !i.isSearched(name) {
			_, failed = i.search(ctx, []string{name})
		}
		return i.canFillIn(file, name, who)
	}
	return slices.DeleteFunc(slices.Clone(i.granted.all), func(grant grants.Grant) bool { return !grant.CanBind(who, named) }), failed
}

func (i *Index) isSearched(name string) bool { _, known := i.names.found[name]; return known }

// canFillIn reports whether a text can get the name of an identity for its variables: from itself, from a text of the same branch of folders, such as
// the variables of a module, from a file of variables anywhere, and from a script that names the file of the text.
func (i *Index) canFillIn(file, name string, who rbac.Identity) bool {
	account, isAccount := objects.ParseUser(who.User)
	return slices.ContainsFunc(i.names.found[name], func(p Place) bool {
		switch {
		case p.Comment || isAccount && !p.CanName(account):
			return false
		case p.File == file:
			return true
		case p.Ref != "" || textpaths.IsDocument(p.File) || objects.IsKustomizationFile(p.File):
			return false
		}
		return isBranch(path.Dir(file), path.Dir(p.File)) || hasVariables(p.File) || i.namesFile(p.File, file)
	})
}

// hasVariables reports whether a file sets variables for other files, by its name.
func hasVariables(file string) bool {
	if slices.Contains([]string{".tf", ".tfvars", ".tofu", ".hcl", ".env", ".ini"}, path.Ext(file)) || strings.HasPrefix(path.Base(file), ".env") {
		return true
	}
	return slices.ContainsFunc(strings.Split(path.Dir(file), "/"), func(folder string) bool {
		return slices.Contains([]string{"vars", "defaults", "group_vars", "host_vars", "inventory", "inventories"}, folder)
	})
}

// namesFile reports whether a text has the name of a file.
func (i *Index) namesFile(text, file string) bool {
	data, err := i.from.Text(text)
	return err == nil && bytes.Contains(data, []byte(path.Base(file)))
}

// isBranch reports whether one of two folders is in the other.
func isBranch(a, b string) bool {
	return a == "." || a == b || strings.HasPrefix(b, a+"/") || b != "." && strings.HasPrefix(a, b+"/")
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
	i.apply()
	found.all = append(found.all, i.patchesOfRemotes(&unreadable)...)
	found.all = slices.DeleteFunc(found.all, func(grant grants.Grant) bool {
		return grant.OfPatch && (isApplied(i.units, grant) || isPassedOver(i.units, grant.Position.File))
	})
	found.addBuilt(i.units)
	return found
}

// patchesOfRemotes returns what the patches of kustomizations with remote entries bind: the binding itself is not here.
func (i *Index) patchesOfRemotes(failed *error) (found []grants.Grant) {
	var files []string
	for _, u := range i.units {
		for _, input := range u.NonObjectInputs {
			if len(u.Remotes) > 0 && strings.HasPrefix(input.Field, "patches") && !slices.Contains(files, input.File) {
				files = append(files, input.File)
			}
		}
	}
	for file, data := range i.contents(files, failed) {
		found = append(found, grants.ReadPatch(file, data)...)
	}
	return found
}

// isApplied reports whether a binding of a deployment unit has the subject that a patch in a file gives to one.
func isApplied(units []*objects.Unit, grant grants.Grant) bool {
	subject := grant.Subject
	if user, isUser := objects.ParseUser(subject.Name); isUser {
		subject = rbac.Account(user)
	}
	return slices.ContainsFunc(units, func(u *objects.Unit) bool {
		return !u.NotBuilt && u.Reads(grant.Position.File) && slices.ContainsFunc(u.Objects, func(o *objects.Object) bool {
			return o.Applied != nil && strings.HasSuffix(o.Kind, "RoleBinding") && hasSubject(o, subject)
		})
	})
}

// isPassedOver reports whether applications apply the files beside a kustomization as they are, and none builds it.
func isPassedOver(units []*objects.Unit, file string) bool {
	if !objects.IsKustomizationFile(file) {
		return false
	}
	plain := false
	for _, u := range units {
		if slices.ContainsFunc(u.Kustomizations, func(k *objects.Kustomization) bool { return k.Path == file }) {
			return false
		}
		plain = plain || u.Kind == objects.ApplicationUnit && len(u.Kustomizations) == 0 && u.Reads(file)
	}
	return plain
}

// hasSubject reports whether a binding as it is applied names an account.
func hasSubject(binding *objects.Object, account rbac.Subject) bool {
	return slices.ContainsFunc(binding.Node.Get("subjects").Items(), func(s *manifest.Node) bool {
		return s.Get("name").String() == account.Name && (account.Namespace == "" || s.Get("namespace").String() == account.Namespace)
	})
}

// addBuilt adds the bindings of objects that a kustomization or chart changes, unless their file has them.
func (g *grantedElsewhere) addBuilt(units []*objects.Unit) {
	type written struct {
		file    string
		subject rbac.Subject
	}
	known := map[written]bool{}
	for _, grant := range g.all {
		known[written{grant.Position.File, grant.Subject}] = true
	}
	for _, unit := range units {
		for _, o := range unit.Objects {
			if o.Applied == nil {
				continue
			}
			for _, grant := range grants.ReadObject(o) {
				if w := (written{grant.Position.File, grant.Subject}); !known[w] {
					known[w] = true
					g.all = append(g.all, grant)
				}
			}
		}
	}
}
