package lint

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// guard knows the files that kustomizations use of which it is not known what they make of them: those that are excluded, that
// could not be read, and entries that lead through symbolic links or out of the repository and back. What such a user reaches
// is not edited, for nobody would see what the edit does there.
type guard struct {
	links  map[string]string
	names  map[string]bool
	dirs   map[string]bool
	known  map[string]*objects.Kustomization // by folder
	broken map[string]string                 // the text of kustomizations that could not be parsed, by folder

	kept map[string]string // why a file, or all of a folder, stays as it is
	all  string            // why everything does
	seen map[string]bool
}

// guarded answers [fixers.Context.Keep]. The guard is made when the first plan asks.
func (r *run) guarded(ctx context.Context) func(file string) string {
	made := sync.OnceValue(func() *guard { return r.newGuard(ctx) })
	return func(file string) string { return made().keeps(file) }
}

// linker is a tree that knows of its symbolic links.
type linker interface{ Links() map[string]string }

func linksOf(tree Tree) map[string]string {
	if tree, ok := tree.(linker); ok {
		return tree.Links()
	}
	return nil
}

func (r *run) newGuard(ctx context.Context) *guard {
	g := &guard{
		names: map[string]bool{}, dirs: map[string]bool{}, broken: map[string]string{},
		known: map[string]*objects.Kustomization{}, kept: map[string]string{}, seen: map[string]bool{},
	}
	excluded := r.judging.mentions.excluded(ctx)
	g.links = linksOf(r.Tree) // also those that only the walk for what is excluded has met
	for _, name := range slices.Concat(r.library.names, excluded) {
		g.addName(name)
	}
	for _, k := range r.library.kustomizations {
		if g.known[k.Dir] == nil {
			g.known[k.Dir] = k
		}
	}
	users := r.unreadUsers(g)
	for _, name := range excluded {
		if objects.IsKustomizationFile(name) {
			data, err := r.Tree.Read(name)
			g.addExcluded(name, data, err)
			users[path.Dir(name)] = fmt.Sprintf("%s uses it too, and is excluded or ignored", name)
		}
	}
	for dir, why := range users {
		g.reach(dir, why)
	}
	for _, k := range r.library.kustomizations {
		g.strayEntries(k)
	}
	r.linkedApplications(g)
	return g
}

func (g *guard) addName(name string) {
	g.names[name] = true
	for dir := path.Dir(name); !g.dirs[dir]; dir = path.Dir(dir) {
		g.dirs[dir] = true
	}
}

// unreadUsers are the folders of kustomizations that could not be read or parsed, and why what they use stays as it is.
func (r *run) unreadUsers(g *guard) map[string]string {
	users := map[string]string{}
	for _, doc := range r.library.broken {
		file := doc.File.Path
		if objects.IsKustomizationFile(file) {
			g.broken[path.Dir(file)] += string(doc.Bytes())
			users[path.Dir(file)] = fmt.Sprintf("%s may use it too, and could not be read (it is not valid YAML)", file)
		}
	}
	for _, f := range r.library.noText {
		if objects.IsKustomizationFile(f.Path) {
			g.broken[path.Dir(f.Path)] += string(objects.SearchText(f.Path, f.Data))
			users[path.Dir(f.Path)] = fmt.Sprintf("%s may use it too, and could not be read (it is no text in UTF-8)", f.Path)
		}
	}
	for _, skip := range r.library.skipped {
		if (skip.Unreadable || skip.TooLarge) && objects.IsKustomizationFile(skip.Path) {
			g.all = fmt.Sprintf("%s was not read (%s), so it is not known which files it uses", skip.Path, skip.Reason)
		}
	}
	return users
}

// addExcluded takes down a kustomization that is no part of what is linted.
func (g *guard) addExcluded(file string, data []byte, err error) {
	if err != nil {
		g.all = fmt.Sprintf("%s, which is excluded or ignored, could not be read (%v), so it is not known which files it uses", file, err)
		return
	}
	dir := path.Dir(file)
	for _, doc := range manifest.Scan(file, data).Docs {
		if doc.Parse() != nil {
			g.broken[dir] += string(objects.SearchText(file, data))
			continue
		}
		if k, err := objects.ReadKustomization(doc); err == nil && g.known[dir] == nil {
			g.known[dir] = k
		}
	}
}

// strayEntries follows what a kustomization names through symbolic links, or outside of the repository.
func (g *guard) strayEntries(k *objects.Kustomization) {
	for _, named := range namedBy(k) {
		place := fmt.Sprintf("%s:%d", k.Path, named.line)
		if real := g.real(named.target); real != named.target {
			why := fmt.Sprintf("%s uses it through the symbolic link %s", place, named.target)
			g.kept[named.target] = why
			g.reach(real, why)
		}
		g.returning(named.target, fmt.Sprintf("%s may use it, by a path that leaves the repository and comes back", place))
	}
}

type named struct {
	target string
	line   int
}

// namedBy lists all files and folders that a kustomization names.
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

// returning reaches what a path outside of the repository would name if it came back: the name of the folder that the
// repository is checked out in is not known.
func (g *guard) returning(target, why string) {
	if !path.IsAbs(target) && !strings.HasPrefix(target, "../") {
		return
	}
	parts := strings.Split(strings.TrimLeft(target, "./"), "/")
	for i := 1; i < len(parts); i++ {
		if inside := path.Join(parts[i:]...); g.names[inside] || g.known[inside] != nil {
			g.reach(inside, why)
		}
	}
}

// reach keeps a file, or a folder's kustomization with everything that it names.
func (g *guard) reach(target, why string) {
	target = g.real(target)
	if g.seen[target] {
		return
	}
	g.seen[target] = true
	k, text := g.known[target], g.broken[target]
	switch {
	case k == nil && text == "":
		if g.names[target] || g.dirs[target] && target != "." {
			g.kept[target] = why
		}
		return
	case text != "":
		g.spelled(target, text, why)
	}
	if k == nil {
		return
	}
	g.kept[k.Path] = why
	for _, named := range namedBy(k) {
		g.returning(named.target, why)
		g.reach(named.target, why)
	}
}

// real is where a path leads when symbolic links are followed.
func (g *guard) real(target string) string {
	for range len(g.links) { // a link may lead to a folder in which there is another
		link := g.linkOf(target)
		if link == "" {
			break
		}
		target = path.Join(g.links[link], strings.TrimPrefix(target, link))
	}
	return target
}

// linkOf gives the symbolic link that a path is, or leads through; "" for none.
func (g *guard) linkOf(target string) string {
	if len(g.links) == 0 {
		return ""
	}
	for dir := target; dir != "." && dir != "/" && dir != ".."; dir = path.Dir(dir) {
		if _, is := g.links[dir]; is {
			return dir
		}
	}
	return ""
}

// linkedApplications reaches what applications of Argo CD and Flux may name by a symbolic link.
func (r *run) linkedApplications(g *guard) {
	for _, o := range r.library.objects {
		if o.Group != "argoproj.io" && !strings.HasSuffix(o.Group, ".fluxcd.io") {
			continue
		}
		for link := range g.links {
			if strings.Contains(string(o.Doc.Bytes()), link) {
				g.reach(g.links[link], fmt.Sprintf("%s uses it through the symbolic link %s", o.Position(nil), link))
			}
		}
	}
}

// keeps says why a file stays as it is, and what to do; "" where it may be changed.
func (g *guard) keeps(file string) string {
	const byHand = ", and what the change would do there is not known: change it by hand"
	if link := g.linkOf(file); link != "" {
		return fmt.Sprintf("%s is a symbolic link, through which nothing is written: change %s by hand", link, g.real(file))
	}
	if g.all != "" {
		return g.all + ": nothing is changed until it can be read"
	}
	for at := file; ; at = path.Dir(at) {
		if why := g.kept[at]; why != "" {
			return file + " is not changed: " + why + byHand
		}
		if at == "." || at == "/" {
			return ""
		}
	}
}
