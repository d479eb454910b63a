package assess

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/bundle"
	"github.com/salint/salint/internal/kube/bundlesupport"
	"github.com/salint/salint/internal/kube/crdsafety"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/needs/bundlediff/answer"
	"github.com/salint/salint/internal/needs/contents"
	"github.com/salint/salint/internal/needs/preflight/installer"
	"github.com/salint/salint/internal/render/content"
)

// otherMode returns a note if the operators of the two versions do not watch the same namespaces.
func otherMode(a answer.Answer, before, after *content.Content) []string {
	if len(before.Watched) == 0 || len(after.Watched) == 0 || slices.Equal(before.Watched, after.Watched) {
		return nil
	}
	note := fmt.Sprintf("the install mode changes: %s watches %s, and %s watches %s", a.Old, watched(before), a.New, watched(after))
	if watchesAll(after) {
		return []string{note + ". The extension must no longer set a namespace to watch"}
	}
	return []string{note + ". The extension must set the namespace to watch"}
}

func watchesAll(c *content.Content) bool { return slices.Equal(c.Watched, []string{""}) }

func watchesOther(c *content.Content) bool {
	return slices.Equal(c.Watched, []string{bundle.OtherNamespace})
}

func watched(c *content.Content) string {
	if watchesAll(c) {
		return "all namespaces"
	}
	if watchesOther(c) {
		return "another namespace than the one that it is installed in"
	}
	return "namespace " + strings.Join(c.Watched, ", ")
}

// refusals returns notes about why the release does not install the versions, one for each reason.
func refusals(release bundlesupport.Release, a answer.Answer, before, after *content.Content) []string {
	by := releaseName(release)
	var notes []string
	add := func(version string, o bundlesupport.Obstacle) {
		if o.Installs {
			notes = append(notes, fmt.Sprintf("%s installs %s, but %s", by, version, o.Reason))
			return
		}
		unless := ""
		if o.Gate != "" {
			unless = fmt.Sprintf(" unless the feature gate %s is on", o.Gate)
		}
		notes = append(notes, fmt.Sprintf("%s does not install %s%s: %s", by, version, unless, o.Reason))
	}
	for _, o := range before.Obstacles {
		version := a.Old.String()
		if slices.Contains(after.Obstacles, o) {
			version = "both versions"
		}
		add(version, o)
	}
	for _, o := range after.Obstacles {
		if !slices.Contains(before.Obstacles, o) {
			add(a.New.String(), o)
		}
	}
	return notes
}

// compareDefinitions adds what the release does with changes of definitions: nothing if the extensions of the package turn that off.
func compareDefinitions(ctx context.Context, r *contents.Reader, release bundlesupport.Release, a *answer.Answer, before, after *content.Content) {
	a.Definitions = crdsafety.Check(release, olm.HelmRuntime, before.Objects, after.Objects)
	if len(a.Definitions.Blocked) == 0 && !a.Definitions.NotCompared {
		return
	}
	off, on := enforcement(ctx, r, after.Package)
	switch {
	case len(off) == 0:
		return
	case len(on) == 0:
		a.Definitions = a.Definitions.WithoutCheck()
	}
	a.Notes = append(a.Notes, fmt.Sprintf("changes of definitions do not block the upgrade of %s, which sets %s: None", strings.Join(off, ", "), crdsafety.Setting))
}

// enforcement returns the extensions of a package in the repository that turn the check of definitions off, and those that do not. A
// repository that cannot be read has none.
func enforcement(ctx context.Context, r *contents.Reader, name string) (off, on []string) {
	world, err := r.ReadRepository(ctx, loader.Kinds(loader.Installers()))
	if err != nil || name == "" {
		return nil, nil
	}
	for _, e := range world.Extensions() {
		switch {
		case e.Package != name:
		case installer.ChecksDefinitions(e.Object):
			on = append(on, "ClusterExtension "+e.Name)
		default:
			off = append(off, "ClusterExtension "+e.Name)
		}
	}
	slices.Sort(off)
	return slices.Compact(off), on
}

// refused returns the obstacle because of which the release does not install the new version, one that no gate removes before others; nil if
// there is none. since reports whether the old version does not have it.
func refused(before, after *content.Content) (found *bundlesupport.Obstacle, since bool) {
	for _, o := range after.Obstacles {
		if !o.Installs && (found == nil || o.Hard() && !found.Hard()) {
			found = &o
		}
	}
	return found, found != nil && !slices.ContainsFunc(before.Obstacles, func(o bundlesupport.Obstacle) bool { return o == *found })
}

// releaseName returns the release in messages.
func releaseName(release bundlesupport.Release) string {
	if release.Known() {
		return release.String()
	}
	return "operator-controller"
}

func isBundle(c *content.Content) bool { return c.Kind == content.Bundle || c.Kind == content.Catalog }
