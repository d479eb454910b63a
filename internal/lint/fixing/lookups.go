package fixing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/consumers"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/admission"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/preflight/installer"
)

// lookups answers the questions of fixers about the repository: it is the [engine.Lookups] of a round.
type lookups struct {
	round *Round
	ctx   context.Context
	// excluded are the answers about new files: a plan is merged several times, and its new files stay the same.
	excluded map[string]leftOut
}

// leftOut is what keeps a new file from being applied.
type leftOut struct{ place, why string }

func (l *lookups) Target(u *objects.Unit, o *objects.Object) olm.Target {
	return l.round.judge.Targets.Of(u, o).Target
}

func (l *lookups) References(names []string) (map[string][]uses.Place, error) {
	found, err := l.round.judge.Uses.Named(l.ctx, names)
	return found, refusedIfUnread(err)
}

func (l *lookups) GroupReferences(names []string) (map[string][]uses.Place, error) {
	found, err := l.round.judge.Uses.InObjects(l.ctx, names)
	return found, refusedIfUnread(err)
}

// refusedIfUnread returns the error as a refusal if files were not read.
func refusedIfUnread(err error) error {
	if unread := (*uses.UnreadError)(nil); errors.As(err, &unread) {
		return engine.AsRefusal(err)
	}
	return err
}

func (l *lookups) Violations(template admission.Template, inputs []string) ([]bool, error) {
	return l.round.judge.Violations(l.ctx, template, inputs)
}

func (l *lookups) Unread(words []string) (place, why string) {
	return l.round.judge.Uses.UnreadWith(l.ctx, words)
}

func (l *lookups) GrantedElsewhere(account objects.Account) (place string, err error) {
	places, err := l.round.judge.Uses.GrantedElsewhere(l.ctx, account)
	if err != nil || len(places) == 0 {
		return "", err
	}
	return places[0].String(), nil
}

func (l *lookups) WriteProtected(file string) (why string) {
	return l.round.judge.Uses.WriteProtected(l.ctx, file)
}

func (l *lookups) BundleNeeds(u *objects.Unit, extension *objects.Object, identity rbac.Subject) (engine.BundleNeeds, error) {
	return l.round.needs(l.ctx, u, extension, identity)
}

func (l *lookups) Rebuild(contents map[string][]byte, parsed map[string]*manifest.File, also func(*objects.Unit) bool) ([]*objects.Unit, error) {
	units, err := loader.Rebuild(l.ctx, l.round.snapshot.Assembly(), l.round.snapshot.Units, loader.Change{Contents: contents, Parsed: parsed, Built: also})
	l.round.options.Parsed.Add(l.round.snapshot, units, contents)
	return units, err
}

func (l *lookups) Beside(u *objects.Unit, subject rbac.Subject) []*objects.Unit {
	found := l.round.snapshot.Delivery.Earlier(u, subject)
	account, isAccount := subject.Account()
	for _, other := range l.round.snapshot.Clusters().Beside(u) {
		if !slices.Contains(found, other) && (len(rbac.BindingsOf(other, nil, subject)) > 0 || isAccount && other.Defines(account)) {
			found = append(found, other)
		}
	}
	return found
}

func (l *lookups) RulesBeside(u *objects.Unit, role rbac.RoleRef) (rules []rbacv1.PolicyRule, known bool) {
	for _, other := range l.round.snapshot.Clusters().Beside(u) {
		if len(other.Find(objects.Query{Kind: role.Kind, Name: role.Name})) == 0 {
			continue
		}
		more, all, partial := rbac.RoleRulesOf(other, role, nil)
		if !all || partial {
			return nil, false
		}
		rules, known = append(rules, more...), true
	}
	return rules, known
}

func (l *lookups) Apart(u, other *objects.Unit) bool {
	return l.round.snapshot.Clusters().Apart(u, other)
}

func (l *lookups) Unrenderable(file string) (place, why string) {
	if found, is := l.round.snapshot.Applications.Unresolved(file); is {
		return found.Position.String(), found.Message
	}
	return "", ""
}

func (l *lookups) Excluded(file string) (place, why string) {
	known, ok := l.excluded[file]
	if !ok {
		known = l.round.leftOut(file)
		l.excluded[file] = known
	}
	return known.place, known.why
}

// leftOut returns the ignore rule or application filter that excludes a new file, and its effect.
func (r *Round) leftOut(file string) leftOut {
	if place, is := r.snapshot.Tree.Ignored(file); is {
		return leftOut{place, "git does not commit it"}
	}
	if place, by, is := r.snapshot.Applications.IgnoredBySource(file); is {
		return leftOut{place, fmt.Sprintf("the %s does not apply it", by)}
	}
	return leftOut{}
}

func (l *lookups) AppliedByName(target string) (uses.FileReference, bool) {
	return l.round.judge.Uses.NameOfFile(l.ctx, target)
}

func (l *lookups) Consumer(file string) (consumers.Consumer, bool) {
	return l.round.judge.Uses.Consumer(l.ctx, file)
}

func (l *lookups) HelmRuns(chart string) []consumers.HelmRun {
	return l.round.judge.Uses.HelmRuns(l.ctx, chart)
}

func (l *lookups) FilesIn(dir string) []string { return l.round.judge.Uses.FilesIn(dir) }

// needs returns the permissions that the bundle of an extension requires of an identity, for fixes. The error is a *engine.Refusal.
func (r *Round) needs(ctx context.Context, unit *objects.Unit, o *objects.Object, who rbac.Subject) (engine.BundleNeeds, error) {
	refuse := func(err error) (engine.BundleNeeds, error) {
		var unknown *installer.UnknownError
		if errors.As(err, &unknown) {
			return engine.BundleNeeds{}, &engine.Refusal{Reason: unknown.Reason + ", so the permissions that its bundle needs are unknown: write the value in the manifest"}
		}
		return engine.BundleNeeds{}, &engine.Refusal{Reason: strings.TrimSpace(err.Error())}
	}
	extension, ok := olm.ReadExtension(o.Node)
	if !ok {
		return refuse(fmt.Errorf("%s is not an extension", o.Name))
	}
	i, err := installer.As(r.judge.Extension(unit, o, extension), r.snapshot.Units, who.Identity())
	if err != nil {
		return refuse(err)
	}
	result, err := r.options.Bundles.Preflight(ctx, i)
	if err != nil {
		return refuse(err)
	}
	if result == nil {
		return refuse(errors.New(i.Reason))
	}
	return engine.BundleNeeds{
		Bundle: r.options.Bundles.Sources[i.Extension].Dir, Version: result.Content.Version,
		All: result.Needed, Missing: result.Missing,
	}, nil
}
