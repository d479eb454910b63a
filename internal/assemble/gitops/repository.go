package gitops

import (
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/kube/objects"
)

// folderReference is a folder or file that an object expects in a repository.
type folderReference struct{ url, path string }

// repositoryFinder determines which addresses are those of this repository.
type repositoryFinder struct {
	dir     string
	files   *files
	remotes []string
	// found and missing count, by normalized address, the referenced folders that exist and those that do not.
	found, missing map[string]int
}

func newJudge(m *member, files *files, claims []folderReference) *repositoryFinder {
	j := &repositoryFinder{files: files, found: map[string]int{}, missing: map[string]int{}}
	if m.Dir != "." {
		j.dir = m.Dir
	}
	for _, remote := range m.Addresses {
		if address := sources.NormalAddress(remote); address != "" {
			j.remotes = append(j.remotes, address)
		}
	}
	seen := map[folderReference]bool{}
	for _, c := range claims {
		c.url = sources.NormalAddress(c.url)
		name, inside := inRepository(m.Dir, c.path)
		if c.path = name; !inside || name == m.Dir || seen[c] {
			continue // every repository has a root
		}
		seen[c] = true
		if files.Has(name) {
			j.found[c.url]++
		} else {
			j.missing[c.url]++
		}
	}
	return j
}

// of returns the repository of an address. If no remote has the address, the folders decide: an address with another name
// than all remotes is another repository; otherwise it is this one if most folders that its sources name exist.
func (j *repositoryFinder) of(address view.Field[string]) sources.Repository {
	repository := sources.Repository{URL: address, Is: sources.OtherRepository, Dir: j.dir}
	normal := sources.NormalAddress(address.Value)
	named := func(remote string) bool { return path.Base(remote) == path.Base(normal) }
	switch {
	case slices.Contains(j.remotes, normal):
		repository.Is, repository.Why = sources.Here, "a git remote has this address"
	case filledInLater(address.Value):
		repository.Why = "the address " + hasVariable
	case len(j.remotes) > 0 && !slices.ContainsFunc(j.remotes, named):
		repository.Why = "no git remote has this address or repository name"
	case !j.files.known():
		repository.Why = "no git remote has this address, and the files are unknown"
	case j.found[normal] > 0 && j.found[normal] >= j.missing[normal]:
		repository.Is, repository.Why = sources.Assumed, "the folders referenced with this address exist here"
	case j.found[normal] > 0:
		repository.Why = "no git remote has this address, and most folders referenced with it do not exist here"
	default:
		repository.Why = "no git remote has this address, and no folder referenced with it exists here"
	}
	return repository
}

// bootstrap is the name that `flux bootstrap` gives to the repository it writes to.
const bootstrap = "flux-system"

// folderReferences returns the folders that the objects expect in each repository.
func (r *reader) folderReferences(objects []*objects.Object) []folderReference {
	var claims []folderReference
	for _, o := range objects {
		switch {
		case isKind(o, argoGroup, kindApplication), isKind(o, argoGroup, kindApplicationSet):
			claims = append(claims, folderReferencesIn(o.JSON()["spec"], "")...)
		case isKind(o, kustomizeGroup, kindKustomization):
			spec := view.Of(o).Get("spec")
			claims = append(claims, r.fluxClaim(o, spec.Get("sourceRef"), spec.Get("path")))
		case isKind(o, helmGroup, kindHelmRelease):
			chart := view.Of(o).Get("spec", "chart", "spec")
			claims = append(claims, r.fluxClaim(o, chart.Get("sourceRef"), chart.Get("chart")))
		}
	}
	return slices.DeleteFunc(claims, func(c folderReference) bool { return c.url == "" || c.path == "" })
}

func (r *reader) fluxClaim(from *objects.Object, reference, folder view.View) folderReference {
	if reference.Get("kind").String() != kindGitRepository {
		return folderReference{}
	}
	name := objectName{sourceGroup, kindGitRepository, reference.Get("name").String()}
	source, _ := r.find(from, name, reference.Get("namespace").String())
	if source == nil {
		return folderReference{}
	}
	return folderReference{view.Of(source).Get("spec", "url").String(), fixedPart(folder.String())}
}

// folderReferencesIn returns those of sources and git generators: mappings with a repoURL.
func folderReferencesIn(value any, inherited string) []folderReference {
	var claims []folderReference
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			claims = append(claims, folderReferencesIn(item, inherited)...)
		}
	case map[string]any:
		address, _ := value["repoURL"].(string)
		if address == "" {
			address = inherited
		}
		if name, isText := value["path"].(string); isText && value["chart"] == nil && address != "" {
			claims = append(claims, folderReference{address, fixedPart(name)})
		}
		for key, child := range value {
			below := "" // items of a git generator have a path and no address
			if key == "directories" || key == "files" {
				below = address
			}
			claims = append(claims, folderReferencesIn(child, below)...)
		}
	}
	return claims
}

// fixedPart returns the folder before the first wildcard or template tag of a path.
func fixedPart(name string) string {
	i := strings.IndexAny(name, "*?[{$")
	if i < 0 {
		return name
	}
	dir, _ := path.Split(name[:i])
	return dir
}
