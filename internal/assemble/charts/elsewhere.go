package charts

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// elsewhere reports the relevant templates that render something else on other clusters, once for each template.
func (b *builder) elsewhere(set Set, here []render.Template, others []render.Elsewhere) []objects.Problem {
	texts := map[string]string{}
	for _, t := range here {
		texts[t.Name] = t.Text
	}
	var problems []objects.Problem
	said := map[string]bool{}
	for _, other := range others {
		if len(other.APIVersions) > 0 && !slices.ContainsFunc(other.APIVersions, func(version string) bool { return !set.covers(version) }) {
			continue // another set has them
		}
		for _, t := range other.Templates {
			if said[t.Name] || !b.differ(t.File, texts[t.Name], t.Text) {
				continue
			}
			said[t.Name] = true
			problems = append(problems, problemIn(file{t.File, []byte(t.Source)}, testIn(t.Source), notCheckedFor(set, other)))
		}
	}
	slices.SortStableFunc(problems, func(x, y objects.Problem) int {
		return cmp.Or(strings.Compare(x.Position.File, y.Position.File), cmp.Compare(x.Position.Line, y.Position.Line))
	})
	return problems
}

// differ reports whether two texts of a template differ in a document that matters.
func (b *builder) differ(file, here, there string) bool {
	count := map[string]int{}
	for text, n := range map[string]int{here: 1, there: -1} {
		for _, doc := range manifest.Scan(file, []byte(text)).Docs {
			if b.matters(doc) {
				count[strings.TrimSpace(string(doc.Bytes()))] += n
			}
		}
	}
	for _, n := range count {
		if n != 0 {
			return true
		}
	}
	return false
}

// matters reports whether a rendered document is kept, and can decide: of ConfigMaps, only those of Amazon EKS and Argo CD do.
func (b *builder) matters(doc *manifest.Document) bool {
	if b.Wanted != nil && !b.Wanted(doc) || b.Mentions != nil && !b.Mentions(doc.Bytes()) {
		return false
	}
	return doc.Kind() != "ConfigMap" || b.Mentions == nil || bytes.Contains(doc.Bytes(), []byte("aws-auth")) || bytes.Contains(doc.Bytes(), []byte("argocd-"))
}

// testIn returns where a template reads what is known about the cluster, or 0 if it does so in a helper.
func testIn(source string) int {
	return max(bytes.Index([]byte(source), []byte("Capabilities")), 0)
}

// notCheckedFor says for which clusters a template was not checked, and how it can be.
func notCheckedFor(set Set, other render.Elsewhere) string {
	switch {
	case len(other.APIVersions) > 0:
		return fmt.Sprintf(testsVersion+"%s were checked only for clusters without it. ", strings.Join(other.APIVersions, ", ")) + set.howToAdd(other.APIVersions...)
	case len(other.Removed) > 0:
		return fmt.Sprintf(testsRemoved+"%s were checked only as `helm template` renders them, which takes it for present, although clusters no longer have it. "+
			"Remove the test from the template", strings.Join(other.Removed, ", "))
	}
	others := minor(other.KubeVersion)
	if other.KubeVersion == render.NewestKubeVersion {
		others = "later ones"
	}
	return fmt.Sprintf(testsKubernetes+"were checked only for %s, and render something else for %s. Add `helm: {%s: {kubeVersion: \"%s\"}}`, with the version of the cluster, to .salint.yaml",
		minor(render.DefaultKubeVersion), others, set.Chart, strings.TrimPrefix(minor(render.DefaultKubeVersion), "v"))
}

// minor returns a version of Kubernetes without the number of its patch.
func minor(version string) string {
	if parts := strings.Split(version, "."); len(parts) > 2 {
		return parts[0] + "." + parts[1]
	}
	return version
}
