package uses

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/pathset"
	"github.com/salint/salint/internal/kube/objects"
)

// protectedFiles are the files that fixes do not edit, because the effect of an edit on a kustomization could not be verified:
// kustomizations that are excluded or could not be read, and entries that go through symbolic links or out of the repository and
// back. Everything that such a kustomization uses is protected.
type protectedFiles struct {
	links  pathset.Links
	names  map[string]bool
	dirs   map[string]bool
	known  map[string]*objects.Kustomization // by folder
	broken map[string]string                 // the text of kustomizations that could not be parsed, by folder

	reasons      map[string]string // why a file, or all files of a folder, are protected
	reasonForAll string            // why every file is protected
	seen         map[string]bool
}

// WriteProtected returns why a file is not edited, for example because its edit would be lost or cannot be verified, and what to do
// about it; "" if it can be edited. The protected files are collected for the first question.
func (i *Index) WriteProtected(ctx context.Context, file string) string {
	if gitops.IsSourceOverride(path.Base(file)) {
		return file + " is not edited: Argo CD merges it into the sources of its folder, and its image updater writes it: change it by hand"
	}
	if i.from.Tree.LacksFile(file) {
		return fmt.Sprintf("%s is not edited: the checkout leaves it out: check it out first (git sparse-checkout add %s)", file, path.Dir(file))
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.copied == nil {
		i.copied = i.newCopies()
	}
	if why := i.copied.reasonFor(file); why != "" {
		return why
	}
	if i.protected == nil {
		i.protected = i.newProtectedFiles(ctx)
	}
	return i.protected.reasonFor(file)
}

func (i *Index) newProtectedFiles(ctx context.Context) *protectedFiles {
	excluded, _ := i.excluded(ctx)
	g := &protectedFiles{
		links: i.from.Tree.Links(), // including those that only the walk for excluded files has found
		names: map[string]bool{}, dirs: map[string]bool{}, broken: map[string]string{},
		known: map[string]*objects.Kustomization{}, reasons: map[string]string{}, seen: map[string]bool{},
	}
	for _, name := range slices.Concat(i.from.Collection.Names, excluded) {
		g.addName(name)
	}
	kustomizations := i.from.Parsed.Kustomizations
	for _, k := range kustomizations {
		if g.known[k.Dir] == nil {
			g.known[k.Dir] = k
		}
	}
	users := i.unreadKustomizations(g)
	for _, name := range excluded {
		if objects.IsKustomizationFile(name) {
			data, err := i.from.Tree.Read(name)
			g.addExcluded(name, data, err)
			users[path.Dir(name)] = fmt.Sprintf("%s uses it too, and is excluded or ignored", name)
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(users)) {
		g.protect(dir, users[dir])
	}
	for _, k := range kustomizations {
		g.protectLinked(k)
	}
	for _, o := range i.from.Parsed.Objects {
		g.protectApplied(o)
	}
	g.protectCharts()
	return g
}

func (g *protectedFiles) addName(name string) {
	g.names[name] = true
	for dir := path.Dir(name); !g.dirs[dir]; dir = path.Dir(dir) {
		g.dirs[dir] = true
	}
}

// unreadKustomizations returns the folders of kustomizations that could not be read or parsed, with the reason why the files that
// they use are protected.
func (i *Index) unreadKustomizations(g *protectedFiles) map[string]string {
	users := map[string]string{}
	for _, u := range slices.Concat(i.from.Collection.Unread, i.from.Parsed.Unread) {
		dir := path.Dir(u.File)
		switch {
		case u.Reading == loader.NotCheckedOut:
			g.reasonForAll = fmt.Sprintf("%s was not read (%s), so the files that it uses are unknown", u.File, u.Reason)
		case !objects.IsKustomizationFile(u.File):
		case u.Reading == loader.Invalid, u.Reading == loader.OverBudget, u.Reading == loader.NotText:
			g.broken[dir] += string(u.Text())
			users[dir] = fmt.Sprintf("%s may use it too, and could not be read (%s)", u.File, u.Reason)
		case u.Unknown():
			g.reasonForAll = fmt.Sprintf("%s was not read (%s), so the files that it uses are unknown", u.File, u.Reason)
		}
	}
	return users
}

// addExcluded adds an excluded kustomization.
func (g *protectedFiles) addExcluded(file string, data []byte, err error) {
	if err != nil {
		g.reasonForAll = fmt.Sprintf("%s, which is excluded or ignored, could not be read (%v), so the files that it uses are unknown", file, err)
		return
	}
	dir := path.Dir(file)
	for _, doc := range manifest.Scan(file, data).Docs {
		if doc.Parse() != nil {
			g.broken[dir] += string(loader.SearchText(file, data))
			continue
		}
		if k, err := objects.ReadKustomization(doc); err == nil && g.known[dir] == nil {
			g.known[dir] = k
		}
	}
}

// protectLinked protects what a kustomization names through symbolic links or outside of the repository.
func (g *protectedFiles) protectLinked(k *objects.Kustomization) {
	for _, named := range namedBy(k) {
		place := fmt.Sprintf("%s:%d", k.Path, named.line)
		if real := g.links.Real(named.target); real != named.target {
			why := fmt.Sprintf("%s uses it through the symbolic link %s", place, named.target)
			g.reasons[named.target] = why
			g.protect(real, why)
		}
		g.protectReentrant(named.target, fmt.Sprintf("%s may use it, by a path that leaves the repository and comes back", place))
	}
}

type named struct {
	target string
	line   int
}

// namedBy returns all files and folders that a kustomization names.
func namedBy(k *objects.Kustomization) []named {
	var all []named
	for _, e := range k.Resources {
		all = append(all, named{e.Target, e.Position.Line})
	}
	for _, c := range k.NonObjectInputs {
		all = append(all, named{c.File, c.Position.Line})
	}
	return all
}

// protectReentrant protects what a path outside of the repository names if it leads back: the name of the folder in which the
// repository is checked out is unknown.
func (g *protectedFiles) protectReentrant(target, why string) {
	if !path.IsAbs(target) && !strings.HasPrefix(target, "../") {
		return
	}
	parts := strings.Split(strings.TrimLeft(target, "./"), "/")
	for i := 1; i < len(parts); i++ {
		if inside := path.Join(parts[i:]...); g.names[inside] || g.known[inside] != nil {
			g.protect(inside, why)
		}
	}
}

// protect protects a file, or the kustomization of a folder with everything that it names.
func (g *protectedFiles) protect(target, why string) {
	target = g.links.Real(target)
	if g.seen[target] {
		return
	}
	g.seen[target] = true
	k, text := g.known[target], g.broken[target]
	switch {
	case k == nil && text == "":
		if g.names[target] || g.dirs[target] && target != "." {
			g.reasons[target] = why
		}
		return
	case text != "":
		g.protectNamesIn(target, text, why)
	}
	if k == nil {
		return
	}
	g.reasons[k.Path] = why
	for _, named := range namedBy(k) {
		g.protectReentrant(named.target, why)
		g.protect(named.target, why)
	}
}

// protectApplied protects what an application of Argo CD or Flux may name through a symbolic link.
func (g *protectedFiles) protectApplied(o *objects.Object) {
	if o.Group != "argoproj.io" && !strings.HasSuffix(o.Group, ".fluxcd.io") {
		return
	}
	for link := range g.links {
		if strings.Contains(string(o.Doc.Bytes()), link) {
			g.protect(g.links[link], fmt.Sprintf("%s uses it through the symbolic link %s", o.Position(nil), link))
		}
	}
}

// protectCharts protects what symbolic links in charts lead to, such as a template that several charts share.
func (g *protectedFiles) protectCharts() {
	for link, target := range g.links {
		if chart := g.chartAround(link); chart != "" {
			g.protect(target, fmt.Sprintf("the chart %s uses it through the symbolic link %s", chart, link))
		}
	}
}

// chartAround returns the folder of the chart that a file belongs to, "" for none.
func (g *protectedFiles) chartAround(file string) string {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if g.names[path.Join(dir, "Chart.yaml")] {
			return dir
		}
		if dir == "." || dir == "/" {
			return ""
		}
	}
}

// reasonFor returns why a file is not edited and what to do about it; "" if it can be edited.
func (g *protectedFiles) reasonFor(file string) string {
	const manually = ". The effect of an edit on it cannot be verified: edit the file manually"
	if link := g.links.In(file); link != "" {
		return fmt.Sprintf("%s is a symbolic link, and salint does not write through links: edit %s manually", link, g.links.Real(file))
	}
	if g.reasonForAll != "" {
		return g.reasonForAll + ": make it readable first"
	}
	for at := file; ; at = path.Dir(at) {
		if why := g.reasons[at]; why != "" {
			return file + " is not edited: " + why + manually
		}
		if at == "." || at == "/" {
			return ""
		}
	}
}
