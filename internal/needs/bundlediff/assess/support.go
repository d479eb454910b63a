package assess

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/bundlesupport"
	"github.com/salint/salint/internal/needs/bundlediff/answer"
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

func watched(c *content.Content) string {
	if watchesAll(c) {
		return "all namespaces"
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

// releaseName returns the release in messages.
func releaseName(release bundlesupport.Release) string {
	if release.Known() {
		return release.String()
	}
	return "operator-controller"
}

func isBundle(c *content.Content) bool { return c.Kind == content.Bundle || c.Kind == content.Catalog }
