package assess

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/shell"
	"github.com/salint/salint/internal/kube/bundle"
	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/bundlediff"
	"github.com/salint/salint/internal/needs/bundlediff/answer"
	"github.com/salint/salint/internal/needs/contents"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/installer"
	"github.com/salint/salint/internal/render/content"
)

// Options are what the command line asks.
type Options struct {
	// Old and New are the folders of the two versions.
	Old, New        string
	Namespace       string
	WatchNamespaces []string
}

// Compare reads two versions for an extension of which only the namespaces are known, and compares them.
func Compare(ctx context.Context, r *contents.Reader, o Options) (answer.Answer, error) {
	a := answer.Answer{Old: answer.Side{Path: o.Old}, New: answer.Side{Path: o.New}, Namespace: o.Namespace}
	i := &installer.Installer{Namespace: o.Namespace, WatchNamespaces: o.WatchNamespaces}
	if target := r.Requested.Common(); target != nil {
		i.Resolved.Target = *target
	}
	before, err := side(ctx, r, i, &a, &a.Old)
	if err != nil {
		return a, err
	}
	if len(before.Watched) == 1 && !watchesAll(before) {
		i.WatchNamespaces = before.Watched // an extension keeps its configuration
	}
	after, err := side(ctx, r, i, &a, &a.New)
	if err != nil {
		return a, err
	}
	a.Notes = append(a.Notes, contents.OtherPackage(before, after)...)
	a.By = releaseName(i.Support())
	if isBundle(before) && isBundle(after) {
		compareDefinitions(ctx, r, i.Support(), &a, before, after)
		a.Refused, a.RefusedSince = refused(before, after)
	}
	if watchesOther(before) || watchesOther(after) {
		a.Unknown = []string{bundle.OtherNamespace}
	}
	mode := otherMode(a, before, after)
	a.OtherMode, a.Notes = len(mode) > 0, append(a.Notes, mode...)
	a.Notes = append(a.Notes, refusals(i.Support(), a, before, after)...)
	a.Notes = append(a.Notes, newNames(ctx, r, before, after, a)...)
	resources := preflight.ResourcesOf(&objects.Unit{}, after.Objects, before.Objects)
	if err := r.Define(ctx, resources, slices.Concat(after.Objects, before.Objects)...); err != nil {
		return a, err
	}
	target := r.Requested.Common()
	a.Diff, err = bundlediff.Compare(before.Objects, after.Objects, bundlediff.Options{
		Namespace: a.Namespace, Resources: resources, CollectionVerbs: collectionVerbs(target), Kubernetes: versions(target),
		Note: func(text string) {
			if !slices.Contains(a.Notes, text) {
				a.Notes = append(a.Notes, text)
			}
		},
	})
	return a, err
}

// side reads one of the versions.
func side(ctx context.Context, r *contents.Reader, i *installer.Installer, a *answer.Answer, side *answer.Side) (*content.Content, error) {
	loaded, err := r.Load(ctx, i, side.Path, false)
	if err != nil {
		return nil, err
	}
	side.Name, side.Version = loaded.Name, loaded.Version
	for _, note := range loaded.Notes {
		a.Notes = append(a.Notes, side.Path+": "+note)
	}
	return loaded, nil
}

// versions returns the versions of Kubernetes that a target can run; nil is no target.
func versions(target *olm.Target) kubeversion.Range {
	if target == nil {
		return kubeversion.Range{}
	}
	return target.Kubernetes
}

// collectionVerbs returns the verbs that an installer needs on every type: those of most releases if the configuration does
// not name one.
func collectionVerbs(target *olm.Target) []string {
	if target != nil {
		if runtime, known := olm.RuntimeOf(*target, nil); known {
			return preflight.CollectionVerbs(runtime)
		}
	}
	return []string{"list", "watch"}
}

// newNames returns a note that an installer whose permissions are limited to names needs additional ones, if the repository grants
// permissions for names of the old version. The comparison ignores the names of roles, because OLM creates most of them again with every
// version.
func newNames(ctx context.Context, r *contents.Reader, before, after *content.Content, a answer.Answer) []string {
	old, fresh := rolesIn(before), rolesIn(after)
	maps.DeleteFunc(fresh, func(role role, _ bool) bool { return old[role] })
	if target := r.Requested.Common(); target != nil && !target.Model.IdentitiesMayCount() {
		return nil
	}
	if len(fresh) == 0 || !grantsNames(ctx, r, namesOf(old)) {
		return nil
	}
	what := "1 role or binding has"
	if len(fresh) > 1 {
		what = fmt.Sprintf("%d roles and bindings have", len(fresh))
	}
	return []string{fmt.Sprintf("%s a name that the old version does not have, and the repository grants permissions for names of the old version: the installer needs more "+
		"than this comparison shows; run salint preflight --bundle %s --from %s to list it", what, shell.Quote(shell.Path(a.New.Path)), shell.Quote(shell.Path(a.Old.Path)))}
}

// grantsNames reports whether a role of the repository is limited to roles or bindings of some names. A repository that cannot be read
// grants nothing.
func grantsNames(ctx context.Context, r *contents.Reader, names map[string]bool) bool {
	world, err := r.ReadRepository(ctx, loader.Kinds(loader.RBAC()))
	if err != nil {
		return false
	}
	return slices.ContainsFunc(world.Objects, func(o *objects.Object) bool {
		var role struct{ Rules []rbacv1.PolicyRule }
		data, err := json.Marshal(o.JSON())
		if err != nil || o.Group != rbac.Group || json.Unmarshal(data, &role) != nil {
			return false
		}
		return slices.ContainsFunc(role.Rules, func(rule rbacv1.PolicyRule) bool {
			return slices.Contains(rule.APIGroups, rbac.Group) && slices.ContainsFunc(rule.ResourceNames, func(name string) bool { return names[name] })
		})
	})
}

// role is a role or binding of a version. A role and its binding often have one name, and an installer needs permissions for both.
type role struct{ kind, namespace, name string }

func rolesIn(c *content.Content) map[role]bool {
	roles := map[role]bool{}
	for _, o := range c.Objects {
		if o.Group() == rbac.Group {
			roles[role{o.Kind(), o.Namespace(), o.Name()}] = true
		}
	}
	return roles
}

func namesOf(roles map[role]bool) map[string]bool {
	names := map[string]bool{}
	for role := range roles {
		names[role.name] = true
	}
	return names
}
