package bundle

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/operator-framework/api/pkg/operators/v1alpha1"
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

// watchNamespaces returns the namespaces that the operator watches: the requested ones if it supports them, otherwise all
// if it supports that.
//
// Source: operator-controller v1.9.0 to v1.11.0, applier/provider.go, rukpak/bundle (the schema of the configuration) and
// rukpak/render (validateTargetNamespaces), with SingleOwnNamespaceInstallSupport on. With that gate off, bundles that do
// not support AllNamespaces are refused. Others follow spec.config, if the definition of extensions has it.
func (m installModes) watchNamespaces(install string, asked []string) ([]string, error) {
	switch {
	case !m.all() && !m.single() && !m.own():
		return nil, errors.New("unsupported bundle: bundle must support at least one of [AllNamespaces SingleNamespace OwnNamespace] install modes")
	case len(asked) > 1:
		return asked, nil // for checkSeveral
	case len(asked) == 1:
		if err := m.checkOne(install, asked[0]); err != nil {
			return nil, configurationError(err)
		}
		return asked, nil
	case !m.all():
		return nil, configurationError(errors.New(noWatchNamespace))
	}
	return []string{allNamespaces}, nil
}

func configurationError(err error) error {
	return fmt.Errorf("invalid ClusterExtension configuration: invalid configuration: %w", err)
}

// namespacePattern is the pattern for a namespace in the configuration's schema.
const namespacePattern = `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`

const maxNamespace = 63

// checkOne checks spec.config.inline.watchNamespace.
func (m installModes) checkOne(install, namespace string) error {
	switch {
	case !m.single() && !m.own():
		return errors.New(`unknown field "watchNamespace"`)
	case install != "" && m.own() && !m.single() && namespace != install:
		return fmt.Errorf(`invalid value %q: must be %q (the namespace where the operator is installed) because this operator only supports OwnNamespace install mode`, namespace, install)
	case install != "" && m.single() && !m.own() && namespace == install:
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
func (m installModes) checkSeveral(install string, asked []string) error {
	switch {
	case len(asked) < 2:
		return nil
	case !m.own() && slices.Contains(asked, install):
		return fmt.Errorf("invalid option(s): invalid target namespaces %v: supported install modes %v do not support targeting own namespace", asked, m)
	case !m.multi() || slices.Contains(asked, allNamespaces):
		return fmt.Errorf("invalid option(s): invalid target namespaces %v: supported install modes %v do not support target namespaces %v", asked, m, asked)
	}
	return nil
}
