package settings

import (
	"fmt"
	"maps"
	"slices"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/glob"
)

// Part is the configuration of a repository of a workspace.
type Part struct {
	// Name is that of the repository, and Dir its folder in the workspace.
	Name, Dir string
	Config    *Config
}

// Join returns the configuration of a workspace: what each repository sets holds for its own files. Limits, grants, and what fixes write are the defaults.
// The remarks say what does not hold in a workspace.
func Join(parts []Part) (joined *Config, remarks []string) {
	out := Default()
	out.Bundles, out.Clusters, out.Helm = map[string]string{}, map[string][]string{}, map[string]Chart{}
	out.FailOn = finding.Off
	differ := map[string]bool{}
	for i, p := range parts {
		remarks = append(remarks, p.withoutEffect()...)
		in := p.Config.in(p.Dir)
		if in.FailOn != finding.Off && (out.FailOn == finding.Off || in.FailOn < out.FailOn) {
			out.FailOn = in.FailOn
		}
		out.Exclude, out.Tests = slices.Concat(out.Exclude, in.Exclude), slices.Concat(out.Tests, in.Tests)
		out.Vendored = out.Vendored || in.Vendored
		out.Overrides = slices.Concat(out.Overrides, p.scoped(in))
		for extension, dir := range in.Bundles {
			differ[extension] = differ[extension] || out.Bundles[extension] != "" && out.Bundles[extension] != dir
			out.Bundles[extension] = dir
		}
		for cluster, roots := range in.Clusters {
			out.Clusters[cluster] = append(out.Clusters[cluster], roots...)
		}
		maps.Copy(out.Helm, in.Helm)
		out.PodSpecs, out.Embedded = addNew(out.PodSpecs, in.PodSpecs), addNew(out.Embedded, in.Embedded)
		for _, by := range p.Config.narrowedBy {
			scoped := *by.in(p.Dir)
			scoped.Overrides, scoped.Rules = p.scoped(&scoped), nil
			if i > 0 || !by.ofCommand { // what the command line names holds once, for all repositories
				scoped.Policies, scoped.Ignores = nil, Ignores{}
			}
			out.narrowedBy = append(out.narrowedBy, &scoped)
		}
		own := *p.Config
		own.hasOtherRules = len(own.Policies) > 0 || slices.ContainsFunc(own.narrowedBy, func(by *Config) bool { return len(by.Policies) > 0 && !by.ofCommand })
		out.joined = append(out.joined, &own)
	}
	for _, extension := range slices.Sorted(maps.Keys(differ)) {
		if differ[extension] {
			delete(out.Bundles, extension)
			remarks = append(remarks, fmt.Sprintf("several repositories set bundles.%s: it is not used in a workspace", extension))
		}
	}
	return out, remarks
}

// scoped returns the overrides of the configuration, which has paths of the workspace, after one with what it sets for all files.
func (p Part) scoped(in *Config) []Override {
	all, err := glob.ParsePath(glob.Quote(p.Dir) + "/**")
	if p.Dir == "." || err != nil {
		all, _ = glob.ParsePath("**")
	}
	first := Override{Paths: []glob.Path{all}, Rules: in.Rules}
	if in.Target != "auto" {
		first.Target, first.targetAt = in.Target, in.targetAt
	}
	return append([]Override{first}, in.Overrides...)
}

// withoutEffect returns what the configuration sets that has no effect in a workspace.
func (p Part) withoutEffect() []string {
	var remarks []string
	add := func(key, why string) {
		remarks = append(remarks, fmt.Sprintf("%s: %s of its settings is not used in a workspace: %s", p.Name, key, why))
	}
	for _, c := range append([]*Config{p.Config}, p.Config.narrowedBy...) {
		if c.ofCommand {
			continue
		}
		if len(c.Policies) > 0 {
			add("policies", "lint this repository alone for its rules")
		}
		if c.Baseline != "" {
			add("baseline", "its findings are reported")
		}
		if c.Ignores.Max != nil || len(c.Ignores.Rules) > 0 {
			add("ignores", "lint this repository alone for its limits")
		}
	}
	return remarks
}

func addNew[T comparable](to, from []T) []T {
	for _, item := range from {
		if !slices.Contains(to, item) {
			to = append(to, item)
		}
	}
	return to
}
