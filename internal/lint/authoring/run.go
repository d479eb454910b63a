package authoring

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/lint/session"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/modules"
)

// Run evaluates one rule on the files that the user named.
type Run struct {
	// Workspace has the repository, opened with the files, and the settings.
	Workspace *workspace.Workspace
	// Rule is the name of the rule, or with IsFile the absolute path of its policy.
	Rule   string
	IsFile bool
	// Policies are folders with the user's own rules, as absolute paths.
	Policies []string
	Target   string
	Now      time.Time
	// Explain also shows the trace.
	Explain     bool
	PolicyCache *modules.Cache
}

// Evaluate lints with only the rule, and prints its evaluations. It is an error if there are none.
func (r Run) Evaluate(ctx context.Context, out io.Writer) error {
	w := r.Workspace
	if r.IsFile && !r.isConfigured() {
		r.Policies = append(r.Policies, filepath.Dir(r.Rule))
	}
	rule, err := r.find(ctx)
	if err != nil {
		return err
	}
	if r.Explain && !rule.User {
		return errors.New("--explain is for your own rules only: " + rule.Name + " is one of salint")
	}
	library, err := bundles.New(w, nil, "")
	if err != nil {
		return err
	}
	found := Evaluations{Rule: rule.Name, Selected: w.Repo.Selected, Dir: w.Dir}
	_, err = session.Run(ctx, session.Options{
		Tree: loader.FromRepo(w.Repo), Config: w.Config, Policies: r.Policies, OpenPolicies: w.Repo.OpenNamed, PolicyCache: r.PolicyCache,
		Only: []string{rule.Name}, Enable: []string{rule.Name}, Target: r.Target, Charts: w.Charts(), Bundles: library, Now: r.Now,
		Observe: true, Explain: r.Explain, Inspect: found.Add,
	})
	if err != nil {
		return err
	}
	return found.Write(out, r.Explain)
}

// isConfigured reports whether the policy is in one of the folders.
func (r Run) isConfigured() bool {
	for _, dir := range r.Policies {
		if inside, err := filepath.Rel(dir, r.Rule); err == nil && filepath.IsLocal(inside) {
			return true
		}
	}
	return false
}

// find returns the rule.
func (r Run) find(ctx context.Context) (rule metadata.Rule, err error) {
	registry, err := rules.Load(ctx, rules.Options{
		PolicyDirs: r.Policies, OpenDir: r.Workspace.Repo.OpenNamed, PodSpecs: loader.PodSpecs(r.Workspace.Config), Creators: r.Workspace.Config.Creators, PolicyCache: r.PolicyCache,
	})
	if err != nil {
		return rule, err
	}
	defer registry.Close()
	if r.IsFile {
		for _, rule := range registry.Rules() {
			if rule.User && filepath.FromSlash(rule.File) == filepath.Clean(r.Rule) {
				return rule, nil
			}
		}
		return rule, fmt.Errorf("%s is not the file of a rule that is loaded", r.Rule)
	}
	rule, meant, ok := registry.Find(r.Rule)
	switch {
	case ok && rule.Scope == metadata.ScopeProgram:
		return rule, fmt.Errorf("%s is not evaluated on objects: the program finds it itself", rule.Name)
	case ok:
		return rule, nil
	case meant != "":
		return rule, fmt.Errorf("there is no rule %q: did you mean %s?", r.Rule, meant)
	}
	return rule, fmt.Errorf("there is no rule %q: see salint rules, and name the folder of custom rules with --policy%s", r.Rule, hint(r.Rule))
}

// hint says how a rule is named, if the name looks like a package.
func hint(name string) string {
	if parts := strings.Split(name, "."); len(parts) > 1 {
		return fmt.Sprintf(" (a rule is named like %s)", strings.ReplaceAll(strings.Join(parts[max(0, len(parts)-2):], "/"), "_", "-"))
	}
	return ""
}
