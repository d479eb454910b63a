package metadata

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/kube/restmap"
)

// allKinds is the name in METADATA for every kind.
const allKinds = "all"

var (
	kindPattern    = lazyregexp.New(`^[A-Z][A-Za-z0-9]*$`)
	groupPattern   = lazyregexp.New(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`)
	versionPattern = lazyregexp.New(`^v[0-9]+((alpha|beta)[0-9]+)?$`)
)

// formerGroups are groups of Kubernetes without a dot that its present releases do not serve, but manifests still name.
var formerGroups = []string{"extensions"}

// checkKinds requires the form Kind.group of kinds in a hint, or one of the names that stand for several kinds. A kind in another form
// matches no object, so the rule would check nothing.
func (p *File) checkKinds(key string, kinds, names []string) error {
	for _, kind := range kinds {
		if slices.Contains(names, kind) {
			continue
		}
		if problem := kindProblem(kind, names); problem != "" {
			return p.errorf(key, "custom.%s: %s", key, problem)
		}
	}
	return nil
}

// kindProblem returns what is wrong with the name of a kind, and what is right; "" if it has the form Kind.group.
func kindProblem(name string, names []string) string {
	kind, group, dotted := strings.Cut(name, ".")
	version, rest, _ := strings.Cut(group, ".")
	switch {
	case name == "*" && slices.Contains(names, allKinds):
		return fmt.Sprintf("%q is not a kind: write %s for objects of every kind", name, allKinds)
	case !kindPattern().MatchString(kind):
		return notKind(name, names)
	case !dotted:
		return coreProblem(kind, names)
	case !groupPattern().MatchString(group):
		return notKind(name, names)
	case group == "core":
		return fmt.Sprintf("%q: the core group is left out: write %s", name, kind)
	case versionPattern().MatchString(version) && rest != "":
		return fmt.Sprintf("%q: a kind has no version: write %s", name, KindKey(kind, rest))
	}
	return groupProblem(name, kind, group)
}

// coreProblem is about a kind without a group.
func coreProblem(kind string, names []string) string {
	if _, known := restmap.New().Kind("", kind); known {
		return ""
	}
	if found, known := restmap.New().Argument(kind); known && found.Kind == kind {
		return fmt.Sprintf("%s is in the group %s: write %s", kind, found.Group, KindKey(kind, found.Group))
	}
	if meant := nearest.Name(kind, slices.Concat(restmap.KindsIn("", false), names)); meant != "" {
		return fmt.Sprintf("the core group has no kind %s: did you mean %s?", kind, meant)
	}
	return fmt.Sprintf("the core group has no kind %s: add the group, as in %s.example.com", kind, kind)
}

// groupProblem is about the group of a kind. The groups of custom resources have a dot, and those of Kubernetes have known kinds.
func groupProblem(name, kind, group string) string {
	native := restmap.KindsIn(group, false)
	switch {
	case slices.Contains(formerGroups, group) || slices.Contains(native, kind):
		return ""
	case len(native) > 0:
		if meant := nearest.Name(kind, native); meant != "" {
			return fmt.Sprintf("the group %s has no kind %s: did you mean %s?", group, kind, KindKey(meant, group))
		}
		if found, known := restmap.New().Argument(kind); known && found.Kind == kind && isNative(found.Kind, found.Group) {
			return fmt.Sprintf("the group %s has no kind %s: write %s", group, kind, KindKey(kind, found.Group))
		}
		return ""
	case !strings.Contains(group, "."):
		if found, known := restmap.New().Argument(kind); known && found.Kind == kind {
			return fmt.Sprintf("there is no group %s: write %s", group, KindKey(kind, found.Group))
		}
		return fmt.Sprintf("%q: there is no group %s: the name of a group of custom resources has a dot", name, group)
	}
	return nearProblem(kind, group)
}

// isNative reports whether a kind is one of Kubernetes itself.
func isNative(kind, group string) bool { return slices.Contains(restmap.KindsIn(group, false), kind) }

// notKind is about a name in another form, such as serviceaccounts or apps/v1/Deployment.
func notKind(name string, names []string) string {
	const form = "the form is Kind.group, without a version, and the core group is left out"
	arg := name
	if steps := strings.Split(name, "/"); len(steps) > 1 {
		arg = steps[len(steps)-1]
		if group := steps[0]; !versionPattern().MatchString(group) {
			arg += "." + group
		}
		if kind, group, _ := strings.Cut(arg, "."); kindPattern().MatchString(kind) && coreOrGroup(group) {
			return fmt.Sprintf("%q: %s: write %s", name, form, arg)
		}
	}
	if found, known := restmap.New().Argument(arg); known {
		return fmt.Sprintf("%q: %s: write %s", name, form, KindKey(found.Kind, found.Group))
	}
	if meant := nearest.Name(name, names); meant != "" {
		return fmt.Sprintf("%q: %s: did you mean %s?", name, form, meant)
	}
	return fmt.Sprintf("%q: %s, as in ServiceAccount or Deployment.apps", name, form)
}

func coreOrGroup(group string) bool { return group == "" || groupPattern().MatchString(group) }
