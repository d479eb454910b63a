package gitops

import (
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

// has reports whether a host finds the repository at an address.
func (m *member) has(address string) bool {
	key := AddressKey(address)
	return key != "" && slices.ContainsFunc(m.Addresses, func(own string) bool { return AddressKey(own) == key })
}

// AddressKey returns the same for all addresses at which a host finds one repository; "" if it is none. Hosts have separate names for SSH
// through the port of HTTPS.
func AddressKey(address string) string {
	name := git.NameOf(address)
	return git.Key(strings.TrimPrefix(strings.TrimPrefix(name, "ssh."), "altssh."))
}

// isOtherRevision reports whether the files of a source are not those of its repository in the tree.
func (r *reader) isOtherRevision(s sources.Source) bool {
	return isOtherRevision(s.Revision.Value, r.memberOf(s.Repository.Dir).Branches)
}
