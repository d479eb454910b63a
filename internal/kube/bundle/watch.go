package bundle

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/operator-framework/api/pkg/operators/v1alpha1"

	"github.com/salint/salint/internal/kube/bundlesupport"
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
	switch {
	case modes.all() && (len(asked) == 0 || modes.ignores(o)):
		return []string{allNamespaces}, nil
	case o.Release.WatchesAll():
		return []string{o.Namespace}, modes.narrow(o.Release)
	case len(asked) == 0:
		return []string{o.Namespace}, append(modes.narrow(o.Release), bundlesupport.Obstacle{
			Reason: o.Release.NoNamespace(modes, configurationError(errors.New(noWatchNamespace)).Error()),
			Remedy: o.Release.SetWatch() + toWatch,
		})
	}
	found := modes.narrow(o.Release)
	if err := modes.checkOne(o, asked[0]); err != nil {
		found = append(found, hard(configurationError(err).Error())...)
	}
	return asked, found
}

// ignores reports whether the release ignores the requested namespace: it has no setting for it, or the gate is off and the operator could
// not watch it.
func (m installModes) ignores(o Options) bool {
	return o.Release.WatchesAll() || o.Release.IgnoresWatch() && m.checkOne(o, o.WatchNamespaces[0]) != nil
}

// narrow returns why the release does not let the operator watch less than all namespaces.
func (m installModes) narrow(r bundlesupport.Release) []bundlesupport.Obstacle {
	reason := r.NoAllNamespaces(m)
	if m.all() {
		reason = r.NotNarrowed()
	}
	if o := r.LessThanAll(reason); o != nil {
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
	}
	return []string{o.Namespace}
}

func configurationError(err error) error {
	return fmt.Errorf("invalid ClusterExtension configuration: invalid configuration: %w", err)
}

// namespacePattern is the pattern for a namespace in the configuration's schema.
const namespacePattern = `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`

const maxNamespace = 63

// checkOne checks the requested namespace.
//
// Source: from v1.6 on, applier/provider.go and rukpak/bundle (the schema of the configuration); before, validateTargetNamespaces in
// rukpak/render, which accepts the same namespaces, except as [bundlesupport.Release.OwnConflict] says.
func (m installModes) checkOne(o Options, namespace string) error {
	install := o.Namespace
	switch {
	case !m.single() && !m.own():
		return errors.New(`unknown field "watchNamespace"`)
	case install != "" && m.own() && !m.single() && namespace != install:
		return fmt.Errorf(`invalid value %q: must be %q (the namespace where the operator is installed) because this operator only supports OwnNamespace install mode`, namespace, install)
	case install != "" && m.single() && !m.own() && namespace == install && o.Release.OwnConflict() && !o.OwnMode:
		return fmt.Errorf(`invalid value %q: must be different from %q (the install namespace) because this operator uses SingleNamespace install mode to watch a different namespace`, namespace, install)
	case namespace == "":
		return errors.New(`field "watchNamespace" must have minimum length of 1 (len=0)`)
	case len([]rune(namespace)) > maxNamespace:
		return fmt.Errorf(`field "watchNamespace" must have maximum length of %d (len=%d)`, maxNamespace, len([]rune(namespace)))
	case !regexp.MustCompile(namespacePattern).MatchString(namespace):
		return fmt.Errorf(`field "watchNamespace" must match pattern %q`, namespacePattern)
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
