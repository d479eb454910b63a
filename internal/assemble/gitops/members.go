package gitops

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/files/git"
	"github.com/salint/salint/internal/kube/objects"
)

// Member is a repository of a workspace.
type Member struct {
	// Name is that of the workspace file, and Dir the folder of the repository in the tree.
	Name, Dir string
	// Addresses are those of the repository, in any form.
	Addresses []string
	// Branches are the branches whose files are those of the folder; nil if they are unknown.
	Branches []string
	// Commit is what is checked out; "" if it is unknown. IsCheckedOut reports whether a tag or another name is that of the commit; it can
	// be nil.
	Commit       string
	IsCheckedOut func(revision string) bool
}

// member is a repository that is read.
type member struct {
	Member

	// judge determines which addresses are those of the repository, by what its objects expect.
	judge *repositoryFinder
}

// membersOf returns the repositories of a workspace, inner ones first, or the one that the tree is.
func membersOf(o Options) []*member {
	if len(o.Members) == 0 {
		return []*member{{Member: Member{Dir: ".", Addresses: o.Remotes, Branches: o.Branches}}}
	}
	var all []*member
	for _, m := range o.Members {
		all = append(all, &member{Member: m})
	}
	slices.SortFunc(all, func(a, b *member) int { return strings.Compare(b.Dir, a.Dir) })
	return all
}

// memberOf returns the repository that has a file.
func (r *reader) memberOf(file string) *member {
	for _, m := range r.members {
		if _, has := sources.Below(m.Dir, file); has || file == m.Dir {
			return m
		}
	}
	return r.members[len(r.members)-1]
}

// inMember returns the path of a file or folder from the root of its repository.
func (r *reader) inMember(name string) string {
	dir := r.memberOf(name).Dir
	if name == dir {
		return "."
	}
	rest, _ := sources.Below(dir, name)
	return rest
}

func (r *reader) objectsIn(m *member, objs []*objects.Object) []*objects.Object {
	if len(r.members) == 1 {
		return objs
	}
	return slices.DeleteFunc(slices.Clone(objs), func(o *objects.Object) bool { return r.memberOf(o.File) != m })
}

// repositoryOf returns the repository of an address that an object names: one of the workspace that has it, otherwise that of the object, if it can be
// that.
func (r *reader) repositoryOf(address view.Field[string], from *objects.Object) sources.Repository {
	if len(r.members) > 1 {
		for _, m := range r.members {
			if m.has(address.Value) {
				why := "the repository " + m.Name + " of the workspace has this address"
				return sources.Repository{URL: address, Is: sources.Here, Dir: m.Dir, Why: why}
			}
		}
	}
	return r.memberOf(from.File).judge.of(address)
}

// BaseOf returns the folder of the tree that a base has which kustomize fetches from a repository of a workspace by its address; ok is false
// if no repository has the address. The doubt is how its files can differ from what kustomize gets, or "".
func BaseOf(members []Member, address string) (dir, doubt string, ok bool) {
	base := sources.ReadBase(address)
	i := slices.IndexFunc(members, func(m Member) bool { return m.has(base.Repository) })
	if i < 0 {
		return "", "", false
	}
	m := members[i]
	if m.isOther(base.Revision, false) {
		at := ""
		if m.Commit != "" {
			at = " at commit " + m.Commit[:min(len(m.Commit), 12)]
		}
		doubt = fmt.Sprintf("was read from the repository %s of the workspace%s, which can differ from %s: check that out there", m.Name, at, base.Revision)
	}
	return path.Join(m.Dir, base.Folder), doubt, true
}

// MemberOf returns the name of the repository of a workspace that has a file; "" if there is none.
func MemberOf(members []Member, file string) string {
	for _, m := range members {
		if _, has := sources.Below(m.Dir, file); has || file == m.Dir {
			return m.Name
		}
	}
	return ""
}

// isOther reports whether the files of a revision, which can be one that is certainly no branch, are not those that are checked out.
func (m Member) isOther(revision string, fixed bool) bool {
	return (fixed || isOtherRevision(revision, m.Branches)) && (m.IsCheckedOut == nil || !m.IsCheckedOut(revision))
}

// has reports whether a host finds the repository at an address.
func (m Member) has(address string) bool {
	key := AddressKey(address)
	return key != "" && slices.ContainsFunc(m.Addresses, func(own string) bool { return AddressKey(own) == key })
}

// AddressKey returns the same for all addresses at which a host finds one repository; "" if it is none. Hosts have separate names for SSH
// through the port of HTTPS.
func AddressKey(address string) string {
	name := git.NameOf(address)
	return git.Key(strings.TrimPrefix(strings.TrimPrefix(name, "ssh."), "altssh."))
}

// isOtherRevision reports whether the files of a source, whose revision can be one that is certainly no branch, are not those of its repository in
// the tree.
func (r *reader) isOtherRevision(s sources.Source, fixed bool) bool {
	of := r.memberOf(s.Repository.Dir).Member
	if s.Repository.Is == sources.OtherRepository {
		of.IsCheckedOut = nil
	}
	return of.isOther(s.Revision.Value, fixed)
}
