package authoring

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/lint/session"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/metadata"
)

// exampleNow is the time at which examples are linted, so that their result does not change.
var exampleNow = time.Date(2026, time.January, 31, 12, 0, 0, 0, time.UTC)

// Repository lints an example that is a repository with one rule, as salint lint does. It is written to a temporary folder.
func Repository(ctx context.Context, registry *rules.Registry, rule metadata.Rule, example metadata.Example) (found rules.RepositoryResult, err error) {
	dir, err := os.MkdirTemp("", "salint-example-")
	if err != nil {
		return found, err
	}
	defer os.RemoveAll(dir)
	if err := write(dir, example.Files); err != nil {
		return found, err
	}
	r, err := repo.Open(dir, nil)
	if err != nil {
		return found, err
	}
	defer r.Close()
	w := &workspace.Workspace{Dir: dir, Repo: r}
	if w.Config, err = w.ReadConfig("", settings.GivenLimits{}, nil); err != nil {
		return found, err
	}
	if example.With != nil {
		w.Config.Rules = append(w.Config.Rules, settings.RuleSetting{Pattern: rule.Name, SameSeverity: true, With: example.With})
	}
	library, err := bundles.New(w, nil, "")
	if err != nil {
		return found, err
	}
	out, err := session.Run(ctx, session.Options{
		Tree: loader.FromRepo(r), Config: w.Config, Registry: registry, Only: []string{rule.Name}, Enable: []string{rule.Name},
		Target: cmp.Or(example.Target, w.Config.Target), Charts: w.Charts(), Bundles: library, Now: exampleNow, Observe: true,
	})
	if err != nil {
		return found, err
	}
	return resultOf(out, rule.Name)
}

// resultOf returns what a rule found in a run. What could not be read or checked is an error: the example shows nothing then.
func resultOf(out *session.Outcome, rule string) (found rules.RepositoryResult, err error) {
	found.Remarks = out.Stats.Remarks
	for _, f := range out.Findings {
		switch {
		case f.Rule == rule:
			found.Messages = append(found.Messages, fmt.Sprintf("%s (%s)", f.Message, placeOf(f)))
		case f.Rule == finding.RuleFailed.Name || f.Severity == finding.Error:
			return found, fmt.Errorf("%s: %s", placeOf(f), f.Message)
		}
	}
	return found, nil
}

// write writes the files of an example to a folder.
func write(dir string, files map[string]string) error {
	for name, text := range files {
		target := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func placeOf(f finding.Finding) string { return fmt.Sprintf("%s:%d", f.File, f.Range.Line) }
