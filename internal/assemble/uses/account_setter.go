package uses

import (
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// SetterGroups are the API groups whose objects can set a field of other objects on the cluster, by a path or a patch.
var SetterGroups = []string{kyverno, "policies.kyverno.io", gatekeeperGroup, admissionGroup, compositionGroup}

const (
	kyverno          = "kyverno.io"
	gatekeeperGroup  = "mutations.gatekeeper.sh"
	admissionGroup   = "admissionregistration.k8s.io"
	compositionGroup = "apiextensions.crossplane.io"
)

var (
	accountField    = lazyregexp.New(`\bserviceAccount\b`)
	removeOperation = lazyregexp.New(`\bop["']?\s*:\s*["']?remove\b`)
	setOperation    = lazyregexp.New(`\bop["']?\s*:\s*["']?(?:add|replace|copy|move)\b`)
)

// AccountSetter returns where an object sets the service account of extensions on the cluster, or nil: a mutation of Kyverno, of
// Gatekeeper, or of the API server, and a patch of a Composition. Their manifests do not have the field, and the object sets it again
// when it is removed from them.
func AccountSetter(o *objects.Object) manifest.Path {
	if !slices.Contains(SetterGroups, o.Group) || !strings.Contains(string(o.Doc.Bytes()), "xtension") {
		return nil
	}
	switch {
	case o.Group == kyverno:
		for i, rule := range objects.Items(o.Node.Lookup(manifest.Path{"spec", "rules"})) {
			at := manifest.Path{"spec", "rules", strconv.Itoa(i)}
			if found := fieldWithAccount(rule.Get("mutate"), at.Join("mutate")); found != nil && selectsExtensions(rule) {
				return found
			}
		}
		return nil
	case o.Group == compositionGroup && o.Kind == "Composition":
		return fieldWithAccount(o.Node.Get("spec"), manifest.Path{"spec"})
	case o.Group == gatekeeperGroup:
		location := manifest.Path{"spec", "location"}
		if accountField().MatchString(o.Node.Lookup(location).String()) && selectsExtensions(o.Node) {
			return location
		}
		return nil
	case strings.HasPrefix(o.Kind, "Mutating"):
		if selectsExtensions(o.Node) {
			return fieldWithAccount(o.Node.Lookup(manifest.Path{"spec", "mutations"}), manifest.Path{"spec", "mutations"})
		}
	}
	return nil
}

// AccountReader returns where an Object of Crossplane copies the service account of an extension to another object, or nil: without the
// field, the Object is no longer applied.
func AccountReader(o *objects.Object, extension string) manifest.Path {
	if !slices.Contains(ReaderGroups, o.Group) {
		return nil
	}
	for i, reference := range objects.Items(o.Node.Lookup(manifest.Path{"spec", "references"})) {
		from := reference.Get("patchesFrom")
		isOther := extensionKinds().MatchString(from.Get("kind").String()) && from.Get("name").String() != extension
		if accountField().MatchString(from.Get("fieldPath").String()) && !isOther {
			return manifest.Path{"spec", "references", strconv.Itoa(i)}
		}
	}
	return nil
}

// ReaderGroups are the API groups of the objects of [AccountReader].
var ReaderGroups = []string{"kubernetes.crossplane.io", "kubernetes.m.crossplane.io"}

// fieldWithAccount returns the first key or text below a node that names the field of the account, except in operations that only
// remove it.
func fieldWithAccount(n *manifest.Node, at manifest.Path) manifest.Path {
	if n == nil {
		return nil
	}
	if text := n.String(); accountField().MatchString(text) && (!removeOperation().MatchString(text) || setOperation().MatchString(text)) {
		return at
	}
	for _, field := range n.Fields() {
		key := field.Key.String()
		if inside := at.Join(key); accountField().MatchString(key) && !field.Value.IsNull() {
			return inside
		} else if found := fieldWithAccount(field.Value, inside); found != nil {
			return found
		}
	}
	for i, item := range objects.Items(n) {
		if found := fieldWithAccount(item, at.Join(strconv.Itoa(i))); found != nil {
			return found
		}
	}
	return nil
}

var extensionKinds = lazyregexp.New(`\b(?:ClusterExtension|clusterextensions?)\b`)

// selectsExtensions reports whether a text below a node names the kind of an extension.
func selectsExtensions(n *manifest.Node) bool {
	return n != nil && (extensionKinds().MatchString(n.String()) ||
		slices.ContainsFunc(n.Fields(), func(f manifest.Field) bool { return selectsExtensions(f.Value) }) ||
		slices.ContainsFunc(objects.Items(n), selectsExtensions))
}

// Composed reports whether an object sets fields only of the objects that it makes itself.
func Composed(setter *objects.Object) bool { return setter.Group == compositionGroup }
