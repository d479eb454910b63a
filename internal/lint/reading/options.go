package reading

import (
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/rules"
)

// Options say what is read of a repository. They stay the same in all rounds.
type Options struct {
	// Registry has the rules, and Enabled are the names of those that are evaluated.
	Registry  *rules.Registry
	Enabled   []string
	Config    *settings.Config
	Requested *loader.RequestedTargets
	Bundles   *bundles.Library
	Charts    charts.Settings
	Walk      repo.WalkOptions
	Workers   *render.Workers
	Progress  *Progress
	// Vendored reports whether a file is in a folder of dependencies that the user did not name; nil if nothing is left out as one.
	Vendored func(file string) bool
	// GrantedRole is the role that fixes grant; "" for none.
	GrantedRole string
	// AnyFile is set if findings can be reported in files that the paths do not select.
	AnyFile bool
	// Verifies is set if fixes are verified, for which most units are built.
	Verifies bool
	// Kinds are parsed although no rule needs them.
	Kinds []string
	// Everything parses all documents that rules judge, also those in which they find nothing.
	Everything bool
	// Eager builds all units at once, and ApplicationsAtOnce those of applications. Tests compare the findings with those of other runs.
	Eager, ApplicationsAtOnce bool
	// Parsed are files that the round before and its proofs have parsed.
	Parsed *ParsedFiles
}

// isUsers reports whether a rule is one of the user.
func (o Options) isUsers(name string) bool {
	rule, _, _ := o.Registry.Find(name)
	return rule.User
}

// across are the enabled rules that judge units which the paths do not select.
func (o Options) across() []string {
	var across []string
	for _, name := range o.Enabled {
		if rule, _, _ := o.Registry.Find(name); rule.Across {
			across = append(across, name)
		}
	}
	return across
}

// selected returns which files limit the findings. A finding about a changed cause can be in any file.
func (o Options) selected(tree loader.Tree) func(string) bool {
	if o.AnyFile {
		return func(string) bool { return true }
	}
	return tree.Selected
}
