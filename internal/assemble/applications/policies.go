package applications

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/plugins"
)

// policyUnit is what the policies of one policy generator apply to the managed clusters. It is a unit by itself: the kustomization
// that runs the generator changes and applies only the policies.
type policyUnit struct {
	generator plugins.PolicyGenerator
	unit      *objects.Unit
	drafts    []draft
}

// addPolicies plans a unit for each policy generator.
func (p *plan) addPolicies() {
	if p.Overlay.Files == nil {
		return
	}
	for _, k := range p.Kustomizations {
		if p.Kustomization(k.Dir) != k || k.Doc.Root.Get("generators") == nil {
			continue
		}
		for _, plugin := range plugins.Of(k, p.Overlay.Files.ReadFile) {
			for _, config := range plugin.Configs {
				if config.IsPolicyGenerator() {
					p.addPolicy(k, plugins.ReadPolicyGenerator(config, k.Dir))
				}
			}
		}
	}
}

func (p *plan) addPolicy(k *objects.Kustomization, g plugins.PolicyGenerator) {
	made := policyUnit{generator: g, unit: &objects.Unit{
		Name: "PolicyGenerator " + path.Join(k.Dir, g.Config.Name()), Root: k.Dir, Kind: objects.ApplicationUnit,
	}}
	if p.names[made.unit.Name]++; p.names[made.unit.Name] > 1 {
		made.unit.Name += fmt.Sprintf(" (%d)", p.names[made.unit.Name])
	}
	for _, m := range g.Manifests {
		made.add(p, m)
	}
	p.policies = append(p.policies, made)
}

// add adds what one item of a policy applies.
func (u *policyUnit) add(p *plan, m plugins.PolicyManifest) {
	switch {
	case m.Absent: // nothing applies these objects
		p.Files(slices.DeleteFunc(slices.Clone(p.filesIn(m.Path)), func(file string) bool { return file != m.Path && !isFlatManifest(m.Path, file) }))
	case p.Kustomization(m.Path) != nil:
		p.changed[m.Path] = true
		d, there := p.roots[m.Path]
		if !there {
			d = draft{unit: p.Unit(p.Kustomization(m.Path))}
			p.roots[m.Path] = d
		}
		u.drafts = append(u.drafts, d)
		u.changed(m, d.unit.Objects)
	case !p.exists(m.Path):
		u.unit.Problems = append(u.unit.Problems, objects.Problem{Position: m.Position,
			Message: fmt.Sprintf("the manifests of a policy were not checked: %s is not in the repository", m.Path)})
	default:
		takes := func(file string) bool { return isFlatManifest(m.Path, file) }
		files := slices.DeleteFunc(slices.Clone(p.filesIn(m.Path)), func(file string) bool { return file != m.Path && !takes(file) })
		found := p.Files(files)
		addPart(u.unit, &objects.Unit{Objects: found, Takes: []func(string) bool{takes}})
		u.changed(m, found)
	}
}

// changed records that a policy applies objects in another form than their files have.
func (u *policyUnit) changed(m plugins.PolicyManifest, found []*objects.Object) {
	if m.Changed == "" || len(found) == 0 {
		return
	}
	message := fmt.Sprintf("%s of a policy are not supported: the objects of %s were checked as they are in their files", m.Changed, m.Path)
	u.unit.Problems = append(u.unit.Problems, objects.Problem{Position: m.ChangeAt, Message: message})
	u.unit.LeftOut = append(u.unit.LeftOut, objects.LeftOut{Position: m.ChangeAt, Reason: message, Missing: true})
}

// filesIn returns the file of a name, or the files of a folder without those below it.
func (m *unitBuilder) filesIn(name string) []string {
	if m.byFolder == nil {
		m.byFolder = map[string][]string{}
		for _, file := range m.Names {
			m.byFolder[path.Dir(file)] = append(m.byFolder[path.Dir(file)], file)
		}
	}
	if files := m.byFolder[name]; files != nil {
		return files
	}
	return []string{name}
}

// isFlatManifest reports whether the generator reads a file because of its folder. It does not read the folders below.
func isFlatManifest(dir, file string) bool {
	return path.Dir(file) == dir && (strings.HasSuffix(file, ".yaml") || strings.HasSuffix(file, ".yml"))
}

// policyUnits returns the units of policy generators that apply something.
func (p *plan) policyUnits() []*objects.Unit {
	var units []*objects.Unit
	for _, made := range p.policies {
		unit := made.unit
		for _, part := range p.build(made.drafts) {
			addPart(unit, part)
		}
		if p.err != nil {
			return nil
		}
		sortParts(unit)
		if len(unit.Objects) > 0 {
			units = append(units, unit)
		}
	}
	return units
}
