package bundlesupport

import (
	"fmt"

	"github.com/salint/salint/internal/kube/olm"
)

// The first releases (1.x) with a behavior, and the last ones. The states of gates are those of package olm. Source: operator-controller
// at the tags v1.0.0 to v1.11.0: rukpak/convert/registryv1.go (through v1.2), rukpak/convert/helm.go, applier/watchnamespace.go, and
// rukpak/render (v1.3 to v1.5), applier/provider.go (from v1.6 on), rukpak/render/registryv1/registryv1.go (the lists of validators), and
// the CRDs in config/base and helm/olmv1/base. Dependencies and API services are refused by all of them (resolve/validation.go).
const (
	// webhooksSince: webhooks are refused before, and need a gate from then on.
	webhooksSince = 3
	// watchSince: an operator watches all namespaces before, and less with a gate from then on.
	watchSince = 2
	// annotationUntil: the namespace to watch is an annotation of the extension. configSince: it is a field of spec.config, which only
	// the experimental CRD has, except in standardConfig.
	annotationUntil, configSince, standardConfig = 5, 5, 8
	// strictConfigSince: unknown fields of the configuration are refused, which only its namespace is read of before. deploymentSince: it has
	// deploymentConfig, which a gate allows except in that release.
	strictConfigSince, deploymentSince = 6, 8
	// unionSince: the CRD requires a property in spec.config.inline.
	unionSince = 8
	// ownConflictSince: an operator that supports SingleNamespace and not OwnNamespace cannot watch the namespace that it is installed in.
	ownConflictSince = 5
	// configAlwaysSince: spec.config is read while the gate is off, too.
	configAlwaysSince = 9
	// validatorsSince: names of deployments, definitions, and webhooks are validated.
	validatorsSince = 3
	// webhookRulesSince: conversion webhooks must belong to an operator that supports AllNamespaces only, and webhooks must not intercept
	// what is needed to remove them.
	webhookRulesSince = 6
	// crdifySince: changes of definitions are checked with the library crdify. growingEnumsSince: enums can grow, and crdify neither compares
	// the items of lists as a whole nor reports what served versions differed in before. oneOfSince: crdify has a check of oneOf.
	crdifySince, growingEnumsSince, oneOfSince = 4, 5, 10
	// releasesSince: build metadata of a version in a catalog is the release of the bundle.
	releasesSince = 8
	// configErrorsSince: the messages about install modes are those of the configuration.
	configErrorsSince = 6
)

// kindsSince are kinds that bundles cannot contain before a release, because its operator-registry (pkg/lib/bundle/supported_resources.go)
// does not know them: v1.48 to v1.50 in v1.0 to v1.2, v1.55 in v1.3, v1.61 in v1.6.
var kindsSince = map[string]int{"NetworkPolicy": 3, "ConsolePlugin": 3, "PodMonitor": 6}

// Kind reports whether the release has a kind, if the newest release has it.
func (r Release) Kind(kind string) bool { return !r.before(kindsSince[kind]) }

// Validates reports whether the release validates names, and WebhookRules whether it checks what webhooks are for.
func (r Release) Validates() bool { return !r.before(validatorsSince) }

// WebhookRules reports whether the release checks what conversion and admission webhooks are for.
func (r Release) WebhookRules() bool { return !r.before(webhookRulesSince) }

// OwnConflict reports whether an operator that supports SingleNamespace only cannot watch its own namespace.
func (r Release) OwnConflict() bool { return !r.before(ownConflictSince) }

// ReadsAnnotation reports whether the release can read [WatchAnnotation].
func (r Release) ReadsAnnotation() bool {
	return !r.Known() || r.minor >= watchSince && r.minor <= annotationUntil
}

// ReadsConfig reports whether a CRD of the release can have spec.config.
func (r Release) ReadsConfig() bool { return !r.before(configSince) }

// HasConfig reports whether the CRD has spec.config: that of the repository, otherwise that of the manifests of the release, of which the
// experimental ones come with the gates that need it. OpenShift's come with its preview (manifests-experimental.yaml in its branches).
func (r Release) HasConfig() bool {
	switch {
	case r.before(configSince):
		return false
	case r.crd != olm.FieldUnknown:
		return r.crd == olm.FieldPresent
	}
	return !r.Known() || r.minor == standardConfig && !r.openshift || r.gateOn(olm.WatchGate) || r.gateOn(olm.DeploymentGate)
}

// ShownConfig returns a note if the CRD of the repository differs from that of the manifests of the release in spec.config; "" if it does
// not, or if there is none.
func (r Release) ShownConfig() string {
	usual := r
	usual.crd = olm.FieldUnknown
	switch {
	case r.crd == olm.FieldUnknown || r.HasConfig() == usual.HasConfig():
		return ""
	case r.before(configSince):
		return ""
	case r.HasConfig():
		return fmt.Sprintf("the ClusterExtension CRD in the repository has spec.config, which the standard manifests of %s have not: the CRD counts", r)
	}
	return fmt.Sprintf("the ClusterExtension CRD in the repository has no spec.config, which the manifests of %s with these feature gates have: the CRD counts", r)
}

// Configuration is what a release reads of spec.config.
type Configuration struct {
	// Reads is set if it reads the field at all, and Strict if it refuses fields that it does not know.
	Reads, Strict bool
	// Deployment is set if deploymentConfig is known, and DeploymentGate is the gate that allows it, if that is off; otherwise "".
	Deployment     bool
	DeploymentGate string
	// NotEmpty is set if the CRD requires a property in inline.
	NotEmpty bool
}

// Configuration returns what the release reads of spec.config.
func (r Release) Configuration() Configuration {
	c := Configuration{
		Reads: r.HasConfig() && !r.IgnoresWatch(), Strict: !r.before(strictConfigSince), Deployment: !r.before(deploymentSince), NotEmpty: !r.before(unionSince),
	}
	if has, _ := olm.HasGate(r.minor, olm.DeploymentGate); has && !r.gateOn(olm.DeploymentGate) {
		c.DeploymentGate = olm.DeploymentGate
	}
	return c
}

// TurnOn returns how to turn on a gate, as an imperative.
func (r Release) TurnOn(gate string) string { return r.turnOn(gate) }

// ServiceCA reports whether OpenShift's service CA issues the certificates of webhooks; otherwise cert-manager does, which takes precedence
// if both gates are on (cmd/operator-controller/main.go).
func (r Release) ServiceCA() bool {
	return r.openshift || r.Known() && !r.gateOn(olm.CertManagerGate) && r.gateOn(olm.ServiceCAGate)
}

// WatchesAll reports whether operators can only watch all namespaces.
func (r Release) WatchesAll() bool { return r.before(watchSince) }

// IgnoresWatch reports whether the release ignores the namespace to watch, because the gate is off.
func (r Release) IgnoresWatch() bool {
	return r.WatchesAll() || r.before(configAlwaysSince) && !r.gateOn(olm.WatchGate)
}

// before reports whether the release is known to be earlier than 1.minor.
func (r Release) before(minor int) bool { return r.Known() && r.minor < minor }

// WatchAnnotation is the annotation of an extension for the namespace that its operator watches, in releases without spec.config.
const WatchAnnotation = "olm.operatorframework.io/watch-namespace"

// Crdify is how a release checks changes of definitions with the library crdify (rukpak/preflights/crdupgradesafety).
type Crdify struct {
	// Checks is set if it uses the library.
	Checks bool
	// GrowingEnums is set if enums can grow. Without it, the release also compares lists as a whole, and served versions with each other.
	GrowingEnums bool
	// DescribedOneOf is set if descriptions in oneOf can change.
	DescribedOneOf bool
}

// Crdify returns how the release checks changes of definitions.
func (r Release) Crdify() Crdify {
	return Crdify{Checks: !r.before(crdifySince), GrowingEnums: !r.before(growingEnumsSince), DescribedOneOf: !r.before(oneOfSince)}
}

// BuildsAreReleases reports whether build metadata of versions in a catalog orders bundles; earlier releases ignore it.
func (r Release) BuildsAreReleases() bool { return !r.before(releasesSince) }

// ExplicitReleases reports whether the property release of a bundle in a catalog orders bundles, and SemverUpgrades whether versions alone
// decide about upgrades: both need a gate that is off by default.
func (r Release) ExplicitReleases() bool { return r.enables(olm.ReleaseGate) }

// SemverUpgrades reports whether each newer version of the same major version is an upgrade.
func (r Release) SemverUpgrades() bool { return r.enables(olm.SemverGate) }

// enables reports whether a signal turns on a gate that the release has.
func (r Release) enables(gate string) bool {
	has, _ := olm.HasGate(r.minor, gate)
	on, _ := olm.GateSet(r.gates, gate)
	return r.Known() && has && on
}

// Obstacle is why a release does not install a bundle.
type Obstacle struct {
	// Reason is operator-controller's message.
	Reason string
	// Gate is the feature gate with which the release installs the bundle; "" if no gate helps.
	Gate string
	// Remedy is what to do, as an imperative; "" if the bundle must be changed.
	Remedy string
	// Installs is set if the release installs the bundle anyway, but not as the extension requests: Reason says how.
	Installs bool
}

// Hard reports whether the release does not install the bundle, whatever its gates.
func (o Obstacle) Hard() bool { return o.Gate == "" && !o.Installs }

// Webhooks returns why the release does not install webhooks; nil if it does.
func (r Release) Webhooks() *Obstacle {
	o := &Obstacle{Reason: "unsupported bundle: webhookDefinitions are not supported"}
	if r.before(webhooksSince) {
		o.Reason = "webhookDefinitions are not supported"
		o.Remedy = fmt.Sprintf("use v1.6 or later of operator-controller, in which webhooks are on by default: %s never installs them", r)
		return o
	}
	if r.gateOn(olm.CertManagerGate) || r.gateOn(olm.ServiceCAGate) {
		return nil
	}
	o.Gate = olm.CertManagerGate
	if r.openshift {
		o.Gate = olm.ServiceCAGate
	}
	o.Remedy = r.turnOn(o.Gate)
	return o
}

// LessThanAll returns why the release does not let an operator watch less than all namespaces; nil if it does. The reason is the
// message of a release.
func (r Release) LessThanAll(reason string) *Obstacle {
	switch {
	case r.WatchesAll():
		return &Obstacle{Reason: reason, Remedy: fmt.Sprintf("use v1.2 or later with the feature gate %s, or a version of the bundle that supports AllNamespaces: operators of %s cannot watch less", olm.WatchGate, r)}
	case r.gateOn(olm.WatchGate):
		return nil
	}
	return &Obstacle{Reason: reason, Gate: olm.WatchGate, Remedy: r.turnOn(olm.WatchGate) + r.needsExperimental()}
}

// NoAllNamespaces is the message of the release about an operator that does not support AllNamespaces; modes are those that it supports.
func (r Release) NoAllNamespaces(modes fmt.Stringer) string {
	if r.before(configErrorsSince) {
		return fmt.Sprintf("supported install modes %s do not support targeting all namespaces", modes)
	}
	return "unsupported bundle: bundle does not support AllNamespaces install mode"
}

// NotNarrowed returns why an operator that supports AllNamespaces watches all of them, although the extension sets one; nil if it watches
// that one.
func (r Release) NotNarrowed() *Obstacle {
	const all = ", so the operator watches all namespaces"
	switch {
	case r.WatchesAll():
		return &Obstacle{Installs: true, Reason: fmt.Sprintf("%s ignores the namespace to watch", r) + all, Remedy: "use v1.2 or later with the feature gate " + olm.WatchGate}
	case r.IgnoresWatch():
		return &Obstacle{
			Installs: true, Gate: olm.WatchGate, Reason: "the namespace to watch is ignored while the feature gate " + olm.WatchGate + " is off" + all,
			Remedy: r.turnOn(olm.WatchGate) + r.needsExperimental(),
		}
	case !r.ReadsAnnotation() && !r.HasConfig():
		o := r.NoConfig()
		o.Reason += all
		return &o
	}
	return nil
}

// NoConfig returns that spec.config has no effect, because the CRD does not have it.
func (r Release) NoConfig() Obstacle {
	o := Obstacle{Installs: true, Reason: "spec.config has no effect, because the ClusterExtension CRD does not have it", Remedy: r.GetConfig()}
	switch {
	case r.before(configSince):
		o.Reason, o.Remedy = fmt.Sprintf("spec.config has no effect, because ClusterExtension of %s does not have it", r), "remove it, or use v1.6 or later of operator-controller"
	case r.crd == olm.FieldUnknown:
		o.Reason = "spec.config has no effect, because the standard CRD lacks it"
	}
	return o
}

// IgnoredConfig returns that spec.config is not read while a gate is off.
func (r Release) IgnoredConfig() Obstacle {
	return Obstacle{
		Installs: true, Gate: olm.WatchGate, Reason: "spec.config is ignored while the feature gate " + olm.WatchGate + " is off", Remedy: r.turnOn(olm.WatchGate),
	}
}

// GetConfig returns how to get a CRD with spec.config, as an imperative.
func (r Release) GetConfig() string {
	if r.openshift {
		return r.turnOn(olm.WatchGate)
	}
	return "apply the ClusterExtension CRD of OLM's experimental manifests, which has spec.config"
}

// Configless reports whether an extension cannot set the namespace that its operator watches.
func (r Release) Configless() bool { return r.Known() && r.minor > annotationUntil && !r.HasConfig() }

// NoNamespace is the message of the release about an operator that must watch one namespace, and none is set; generic is the message from
// v1.6 on.
func (r Release) NoNamespace(modes fmt.Stringer, generic string) string {
	if r.before(configErrorsSince) {
		return r.NoAllNamespaces(modes)
	}
	return generic
}

// needsExperimental returns which manifests have spec.config, if the namespace to watch can be set there only.
func (r Release) needsExperimental() string {
	if r.before(annotationUntil+1) || r.openshift || r.minor == standardConfig || r.crd == olm.FieldPresent {
		return ""
	}
	return ", with the experimental manifests of OLM: the standard ones have no spec.config"
}

// Narrows reports whether an operator that does not support AllNamespaces can be installed.
func (r Release) Narrows() bool { return r.LessThanAll("") == nil }

// WatchField returns the field of an extension for the namespace that its operator watches.
func (r Release) WatchField() string {
	if r.before(annotationUntil + 1) {
		return "the annotation " + WatchAnnotation + " of the extension"
	}
	return "spec.config.inline.watchNamespace of the extension"
}

// SetWatch returns how an extension sets the namespace that its operator watches.
func (r Release) SetWatch() string {
	switch {
	case r.before(configSince):
		return fmt.Sprintf("set the annotation %s of the extension (%s has no spec.config)", WatchAnnotation, r)
	case r.before(annotationUntil + 1):
		return fmt.Sprintf("set the annotation %s of the extension, or spec.config.inline.watchNamespace with the experimental CRD", WatchAnnotation)
	}
	return "set spec.config.inline.watchNamespace of the extension"
}
