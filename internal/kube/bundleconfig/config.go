package bundleconfig

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/kube/bundlesupport"
	"github.com/salint/salint/internal/kube/rbac"
)

// The fields of a configuration.
const (
	watchNamespace   = "watchNamespace"
	deploymentConfig = "deploymentConfig"
)

// Operator is what the configuration can set of an operator: the namespace that it watches, which it must set if that is required.
type Operator struct{ Namespace, NamespaceRequired bool }

// Check returns why a release does not install a bundle with spec.config; config is its value in JSON, nil if there is none. A namespace
// that is a string with characters is not checked, because [bundle.Bundle] does that.
//
// Source: operator-controller, internal/operator-controller: applier/watchnamespace.go (v1.5), rukpak/bundle/config.go (v1.6), config/config.go
// and rukpak/bundle/registryv1.go (from v1.7 on), applier/provider.go, rukpak/bundle/registryv1bundleconfig.json (from v1.8 on), and
// ClusterExtensionConfig in api/v1/clusterextension_types.go.
func Check(config any, release bundlesupport.Release, operator Operator) []bundlesupport.Obstacle {
	switch {
	case config == nil, !release.ReadsConfig() && operator.NamespaceRequired:
		return nil
	case !release.ReadsConfig():
		return []bundlesupport.Obstacle{release.NoConfig()}
	}
	reads := release.Configuration()
	inline, rejected := readInline(config, reads)
	switch {
	case !release.HasConfig():
		return withoutField(release, config, operator, checkInline(inline, release, reads, operator))
	case rejected != nil:
		return []bundlesupport.Obstacle{*rejected}
	case !reads.Reads:
		return ignored(release, config)
	}
	return checkInline(inline, release, reads, operator)
}

// Watches returns the namespace that spec.config sets for an operator to watch; "" if it sets none, or something else.
func Watches(config any) string {
	namespace, _ := watched(config).(string)
	return namespace
}

// SetsNamespace reports whether spec.config sets the namespace to watch to anything, which [Check] checks.
func SetsNamespace(config any) bool { return watched(config) != nil }

func watched(config any) any {
	fields, _ := config.(map[string]any)
	inline, _ := fields["inline"].(map[string]any)
	return inline[watchNamespace]
}

// readInline returns spec.config.inline, and why the API server rejects spec.config.
func readInline(config any, reads bundlesupport.Configuration) (map[string]any, *bundlesupport.Obstacle) {
	fields, ok := config.(map[string]any)
	if !ok {
		return nil, reject("spec.config is "+kindOf(config), "set a mapping with configType and inline")
	}
	inline, isObject := fields["inline"].(map[string]any)
	switch kind, there := fields["configType"]; {
	case !there:
		return inline, reject("spec.config has no configType", "set spec.config.configType to Inline")
	case kind != "Inline" && !templated(kind):
		return inline, reject(fmt.Sprintf("spec.config.configType is %v", kind), "set it to Inline")
	case fields["inline"] == nil:
		return inline, reject("spec.config has no inline", "set spec.config.inline, or remove spec.config")
	case !isObject && !templated(fields["inline"]):
		return inline, reject("spec.config.inline is "+kindOf(fields["inline"]), "set a mapping")
	case len(inline) == 0 && reads.NotEmpty && isObject:
		return inline, reject("spec.config.inline is empty", "remove spec.config, or set a property of inline")
	}
	return inline, nil
}

func reject(problem, remedy string) *bundlesupport.Obstacle {
	return &bundlesupport.Obstacle{Reason: "the API server rejects the extension, because " + problem, Remedy: remedy}
}

// withoutField returns that spec.config has no effect, because the CRD does not have it, and what is wrong with it otherwise.
func withoutField(release bundlesupport.Release, config any, operator Operator, problems []bundlesupport.Obstacle) []bundlesupport.Obstacle {
	_, rejected := readInline(config, release.Configuration())
	if operator.NamespaceRequired && !release.ReadsAnnotation() {
		if rejected != nil {
			return []bundlesupport.Obstacle{*rejected}
		}
		return problems // without spec.config, the bundle is not installed at all
	}
	if rejected == nil && Watches(config) != "" && !setsMore(config) && !release.ReadsAnnotation() {
		return nil // the namespace is judged with the install modes
	}
	o := release.NoConfig()
	switch {
	case rejected != nil:
		o.Reason, o.Remedy = o.Reason+"; with it, "+rejected.Reason, rejected.Remedy
	case len(problems) > 0 && !release.IgnoresWatch():
		o.Reason, o.Remedy = o.Reason+"; with it, the bundle is refused: "+strings.TrimPrefix(problems[0].Reason, Invalid("")), problems[0].Remedy
	}
	return []bundlesupport.Obstacle{o}
}

// ignored returns that spec.config is ignored.
func ignored(release bundlesupport.Release, config any) []bundlesupport.Obstacle {
	if !setsMore(config) {
		return nil
	}
	return []bundlesupport.Obstacle{release.IgnoredConfig()}
}

// setsMore reports whether a configuration sets anything but the namespace to watch.
func setsMore(config any) bool {
	fields, _ := config.(map[string]any)
	inline, _ := fields["inline"].(map[string]any)
	for name := range inline {
		if name != watchNamespace {
			return true
		}
	}
	return false
}

// Invalid returns operator-controller's message about an invalid configuration.
func Invalid(problem string) string {
	return "invalid ClusterExtension configuration: invalid configuration: " + problem
}

func checkInline(inline map[string]any, release bundlesupport.Release, reads bundlesupport.Configuration, operator Operator) []bundlesupport.Obstacle {
	found := checkNamespace(inline, reads, operator)
	if !reads.Strict {
		return found
	}
	for _, name := range slices.Sorted(maps.Keys(inline)) {
		switch {
		case name == watchNamespace:
		case name == deploymentConfig && reads.Deployment:
			found = append(found, checkDeployment(inline[name], release, reads.DeploymentGate)...)
		default:
			found = append(found, unknownField(name, known(reads, operator)))
		}
	}
	return found
}

func known(reads bundlesupport.Configuration, operator Operator) []string {
	var names []string
	if operator.Namespace {
		names = append(names, watchNamespace)
	}
	if reads.Deployment && reads.DeploymentGate == "" {
		names = append(names, deploymentConfig)
	}
	return names
}

func unknownField(name string, known []string) bundlesupport.Obstacle {
	o := bundlesupport.Obstacle{
		Reason: Invalid(fmt.Sprintf("unknown field %q", name)), Remedy: fmt.Sprintf("remove spec.config.inline.%s of the extension", name),
	}
	if near := nearest.Name(name, known); near != "" {
		o.Remedy = fmt.Sprintf("rename spec.config.inline.%s of the extension to %s", name, near)
	}
	return o
}

// checkNamespace checks a namespace that is not a string with characters.
func checkNamespace(inline map[string]any, reads bundlesupport.Configuration, operator Operator) []bundlesupport.Obstacle {
	value, there := inline[watchNamespace]
	text, isString := value.(string)
	remedy := "set spec.config.inline.watchNamespace of the extension to the name of a namespace, as a string"
	hard := func(reason, remedy string) []bundlesupport.Obstacle {
		return []bundlesupport.Obstacle{{Reason: reason, Remedy: remedy}}
	}
	switch {
	case !reads.Strict && isString && text != "", isString && text != "":
		return nil
	case !reads.Strict && value == nil, !reads.Strict && isString:
		return hard("invalid watch namespace ''", remedy)
	case !reads.Strict:
		return hard("invalid bundle configuration: watchNamespace is "+kindOf(value), remedy)
	case !there, value == nil && operator.Namespace:
		return nil // it can be missing, or that is judged with the install modes
	case !operator.Namespace:
		return hard(Invalid(`unknown field "watchNamespace"`), "remove spec.config.inline.watchNamespace of the extension: the operator only watches all namespaces")
	case isString:
		return hard(Invalid(`field "watchNamespace" must have minimum length of 1 (len=0)`), remedy)
	case operator.NamespaceRequired:
		return hard(Invalid(fmt.Sprintf(`invalid type for field "watchNamespace": got %s, want string`, jsonType(value))), remedy)
	}
	return hard(Invalid(`invalid value for field "watchNamespace": it is `+kindOf(value)), remedy)
}

// checkDeployment checks deploymentConfig; gate is the one that allows it, "" if it is allowed.
func checkDeployment(value any, release bundlesupport.Release, gate string) []bundlesupport.Obstacle {
	var found []bundlesupport.Obstacle
	if gate != "" {
		found = append(found, bundlesupport.Obstacle{
			Reason: Invalid(`unknown field "deploymentConfig"`), Gate: gate,
			Remedy: release.TurnOn(gate) + ", or remove spec.config.inline.deploymentConfig of the extension",
		})
	}
	for _, problem := range deploymentProblems(value) {
		found = append(found, bundlesupport.Obstacle{Reason: Invalid(problem), Remedy: "correct spec.config.inline.deploymentConfig of the extension"})
	}
	return found
}

func templated(value any) bool {
	text, isString := value.(string)
	return isString && rbac.Templated(text)
}
