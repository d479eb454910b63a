package sources

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"
)

// Base is what kustomize fetches by an address such as https://git.example.com/team/apps//base?ref=main.
type Base struct {
	// Repository is the address of the repository, Folder a path in it, and Revision "" for the default branch.
	Repository, Folder, Revision string
}

// ReadBase splits the address of a base.
func ReadBase(address string) Base {
	address, query, _ := strings.Cut(strings.TrimPrefix(address, "git::"), "?")
	values, _ := url.ParseQuery(query)
	scheme, rest, hasScheme := strings.Cut(address, "://")
	if !hasScheme {
		scheme, rest = "", address
	}
	rest = strings.Replace(strings.Replace(rest, "/_git/", "/_git:", 1), ".git/", ".git//", 1) // .git ends the repository
	repository, folder, isSplit := strings.Cut(rest, "//")
	if !isSplit {
		repository, folder = hostedRepository(rest)
	}
	repository = strings.Replace(repository, "/_git:", "/_git/", 1)
	if hasScheme {
		repository = scheme + "://" + repository
	}
	folder = path.Clean("/" + folder)[1:]
	return Base{strings.Replace(repository, "gh:", "github.com/", 1), cmp.Or(folder, "."), cmp.Or(values.Get("ref"), values.Get("version"))}
}

// FolderHere returns the folder of this repository from which kustomize fetches a base. ok is false if the address is that of another
// repository; if no remote is known, it is that of any. A branch or tag in it is ignored: the next one has what is here now.
func FolderHere(address string, remotes []string) (folder string, ok bool) {
	base := ReadBase(address)
	repository := NormalAddress(base.Repository)
	is := func(remote string) bool { return NormalAddress(remote) == repository }
	return base.Folder, len(remotes) == 0 || slices.ContainsFunc(remotes, is)
}

// hostedRepository splits an address of the form host/organization/repository/folder.
func hostedRepository(rest string) (repository, folder string) {
	parts := strings.Split(strings.Replace(rest, ":", "/", 1), "/")
	if len(parts) <= 3 {
		return rest, ""
	}
	return strings.Join(parts[:3], "/"), strings.Join(parts[3:], "/")
}
