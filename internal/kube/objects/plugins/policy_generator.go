package plugins

import (
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// PolicyGenerator is the configuration of the policy generator of Advanced Cluster Management: it wraps manifests into policies, which
// apply them to the managed clusters
// (github.com/open-cluster-management-io/policy-generator-plugin, docs/policygenerator-reference.yaml).
type PolicyGenerator struct {
	Config    Config
	Manifests []PolicyManifest
}

// PolicyManifest is an item of `manifests` of a policy.
type PolicyManifest struct {
	// Path is a file, a folder with a kustomization, or a folder whose files are read and not those below it.
	Path     string
	Position objects.Position
	// Changed is the field because of which the objects are applied in another form than the files have, with its position; Absent
	// is set if the policy does not apply them.
	Changed  string
	ChangeAt objects.Position
	Absent   bool
}

// isPolicyPath reports whether a field of a policy generator is a path: path, placementPath, and others like it. Patches are part of
// objects.
func isPolicyPath(at []string) bool {
	last := at[len(at)-1]
	return !slices.Contains(at, "patches") && (last == "path" || strings.HasSuffix(last, "Path"))
}

// mustNotHave is the compliance type of objects that a policy removes.
const mustNotHave = "mustnothave"

// ReadPolicyGenerator reads the configuration of a policy generator for a kustomization in a folder, to which paths are relative.
func ReadPolicyGenerator(config Config, dir string) PolicyGenerator {
	g := PolicyGenerator{Config: config}
	defaults := config.Root.Get("policyDefaults")
	for _, policy := range objects.Items(config.Root.Get("policies")) {
		for _, m := range objects.Items(policy.Get("manifests")) {
			at := m.Get("path")
			if at.String() == "" {
				continue
			}
			found := PolicyManifest{Path: path.Join(dir, at.String()), Position: config.positionOf(at)}
			levels := []*manifest.Node{m, policy, defaults}
			found.Absent = firstText(levels, "complianceType") == mustNotHave || firstText(levels[1:], "disabled") == "true"
			for _, field := range []string{"patches", "openapi"} {
				if n := m.Get(field); n != nil && !objects.IsEmpty(n) {
					found.Changed, found.ChangeAt = field, config.positionOf(n)
					break
				}
			}
			g.Manifests = append(g.Manifests, found)
		}
	}
	return g
}

// firstText returns the first of the values of a field that is set.
func firstText(levels []*manifest.Node, field string) string {
	for _, level := range levels {
		if text := level.Get(field).String(); text != "" {
			return text
		}
	}
	return ""
}

// Without returns the files that the generator reads, without those that it applies as they are.
func (g PolicyGenerator) Without(files []string) []string {
	return slices.DeleteFunc(slices.Clone(files), func(file string) bool {
		return slices.ContainsFunc(g.Manifests, func(m PolicyManifest) bool { return m.Path == file }) &&
			!slices.ContainsFunc(g.Manifests, func(m PolicyManifest) bool { return m.Path == file && (m.Changed != "" || m.Absent) })
	})
}
