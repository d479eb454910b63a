package bundle

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/operator-framework/api/pkg/operators/v1alpha1"

	"github.com/salint/salint/internal/kube/bundleconfig"
	"github.com/salint/salint/internal/kube/bundlesupport"
	"github.com/salint/salint/internal/kube/rbac"
)

// allNamespaces is the watch namespace of an operator that watches all of them.
const allNamespaces = ""

// installModes are the supported install modes of the operator.
type installModes map[v1alpha1.InstallModeType]bool

func modesOf(csv *v1alpha1.ClusterServiceVersion) installModes {
	modes := installModes{}
	for _, mode := range csv.Spec.InstallModes {
		if mode.Supported {
			modes[mode.Type] = true
		}
	}
	return modes
}

func (m installModes) all() bool    { return m[v1alpha1.InstallModeTypeAllNamespaces] }
func (m installModes) own() bool    { return m[v1alpha1.InstallModeTypeOwnNamespace] }
func (m installModes) single() bool { return m[v1alpha1.InstallModeTypeSingleNamespace] }
func (m installModes) multi() bool  { return m[v1alpha1.InstallModeTypeMultiNamespace] }

// String lists the modes as operator-controller does in its messages.
func (m installModes) String() string {
	var names []string
	for mode := range m {
		names = append(names, string(mode))
	}
	slices.Sort(names)
	return "[" + strings.Join(names, " ") + "]"
}

// watch returns the namespaces that the operator watches, and why the release does not install it so: the requested namespaces if the
// operator supports them, otherwise all if it supports that.
func (b *Bundle) watch(o Options) ([]string, []bundlesupport.Obstacle) {
	modes, asked := modesOf(b.CSV), o.WatchNamespaces
	switch {
	case !modes.all() && !modes.single() && !modes.own():
		return []string{allNamespaces}, hard("unsupported bundle: bundle must support at least one of [AllNamespaces SingleNamespace OwnNamespace] install modes")
	case len(asked) > 1:
		return asked, nil // for checkSeveral
	case o.OwnMode:
		asked = modes.fitting(o)
	}
	found := bundleconfig.Check(o.Config, o.Release, bundleconfig.Operator{Namespace: modes.single() || modes.own(), NamespaceRequired: !modes.all()})
	switch {
	case modes.all() && len(asked) == 0:
		return []string{allNamespaces}, found
	case modes.all():
		if ignored := o.Release.NotNarrowed(); ignored != nil && (!o.OwnMode || o.Release.WatchesAll()) {
			return []string{allNamespaces}, append(found, *ignored)
		}
	default:
		found = append(found, modes.narrow(o.Release)...)
	}
	switch {
	case o.Release.WatchesAll():
		return []string{o.Namespace}, found
	case o.Release.Configless() && o.Release.Narrows() && !o.OwnMode:
		return []string{o.Namespace}, append(found, bundlesupport.Obstacle{
			Reason: configurationError(errors.New(noWatchNamespace)).Error(), Remedy: o.Release.GetConfig(),
		})
	case len(asked) == 0 && bundleconfig.SetsNamespace(o.Config) && slices.ContainsFunc(found, isHard):
		return []string{o.Namespace}, found
	case len(asked) == 0:
		return []string{o.Namespace}, append(found, bundlesupport.Obstacle{
			Reason: o.Release.NoNamespace(modes, configurationError(errors.New(noWatchNamespace)).Error()),
			Remedy: o.Release.SetWatch() + toWatch,
		})
	}
	if wrong := modes.checkOne(o, asked[0]); wrong != nil {
		found = append(found, *wrong)
	}
	return asked, found
}

// narrow returns why the release does not let an operator that does not support AllNamespaces watch less.
func (m installModes) narrow(r bundlesupport.Release) []bundlesupport.Obstacle {
	if o := r.LessThanAll(r.NoAllNamespaces(m)); o != nil {
		return []bundlesupport.Obstacle{*o}
	}
	return nil
}

// fitting returns the requested namespace if the operator supports it, otherwise the one that it must watch: none for all namespaces.
func (m installModes) fitting(o Options) []string {
	switch {
	case len(o.WatchNamespaces) == 1 && m.checkOne(o, o.WatchNamespaces[0]) == nil:
		return o.WatchNamespaces
	case m.all():
		return nil
	case m.single() && !m.own() && o.Release.OwnConflict():
		return []string{OtherNamespace} // it cannot watch the one that it is installed in
	}
	return []string{o.Namespace}
}

// OtherNamespace stands for the namespace that an operator watches if it cannot be the one that it is installed in, and none is known.
const OtherNamespace = "watched-namespace"

func configurationError(err error) error {
	return errors.New(bundleconfig.Invalid(err.Error()))
}

// namespacePattern is the pattern for a namespace in the configuration's schema.
const namespacePattern = `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`

const maxNamespace = 63

// checkOne returns why the release refuses the requested namespace; nil if it does not.
//
// Source: from v1.6 on, applier/provider.go and rukpak/bundle (the schema of the configuration); before, validateTargetNamespaces in
// rukpak/render, which accepts the same namespaces, except as [bundlesupport.Release.OwnConflict] says.
func (m installModes) checkOne(o Options, namespace string) *bundlesupport.Obstacle {
	install, field := o.Namespace, o.Release.WatchField()
	refuse := func(remedy, format string, args ...any) *bundlesupport.Obstacle {
		return &bundlesupport.Obstacle{Reason: configurationError(fmt.Errorf(format, args...)).Error(), Remedy: remedy}
	}
	set := "set " + field + " to the name of a namespace"
	switch {
	case rbac.Templated(namespace):
		return nil
	case !m.single() && !m.own():
		return refuse("remove "+field+": the operator only watches all namespaces", `unknown field "watchNamespace"`)
	case install != "" && m.own() && !m.single() && namespace != install:
		return refuse(fmt.Sprintf("set %s to %s", field, install), `invalid value %q: must be %q (the namespace where the operator is installed) because this operator only supports OwnNamespace install mode`, namespace, install)
	case install != "" && m.single() && !m.own() && namespace == install && o.Release.OwnConflict():
		return refuse(fmt.Sprintf("set %s to another namespace than %s", field, install), `invalid value %q: must be different from %q (the install namespace) because this operator uses SingleNamespace install mode to watch a different namespace`, namespace, install)
	case namespace == "":
		return refuse(set, `field "watchNamespace" must have minimum length of 1 (len=0)`)
	case len([]rune(namespace)) > maxNamespace:
		return refuse(set, `field "watchNamespace" must have maximum length of %d (len=%d)`, maxNamespace, len([]rune(namespace)))
	case !regexp.MustCompile(namespacePattern).MatchString(namespace):
		return refuse(set, `field "watchNamespace" must match pattern %q`, namespacePattern)
	}
	return nil
}

// checkSeveral checks several namespaces, which a ClusterExtension cannot request, but operator-controller's renderer
// supports.
func (b *Bundle) checkSeveral(install string, asked []string) []bundlesupport.Obstacle {
	m := modesOf(b.CSV)
	switch {
	case len(asked) < 2:
		return nil
	case !m.own() && slices.Contains(asked, install):
		return hard(fmt.Sprintf("invalid option(s): invalid target namespaces %v: supported install modes %v do not support targeting own namespace", asked, m))
	case !m.multi() || slices.Contains(asked, allNamespaces):
		return hard(fmt.Sprintf("invalid option(s): invalid target namespaces %v: supported install modes %v do not support target namespaces %v", asked, m, asked))
	}
	return nil
}
