package secrets

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Source is an object from which the cluster gets a Secret: its manifest, or an object whose controller writes it.
type Source struct {
	Object *objects.Object
	// Path leads to the name of the Secret, which is the name of the object if the field is missing.
	Path            manifest.Path
	Namespace, Name string
	// Type is the type of the Secret, "" if it is not set.
	Type string
	// Copied is true if annotations request copies in other namespaces.
	Copied bool
}

// secretKind defines how objects of a kind name the Secrets that they create.
type secretKind struct {
	group, kind string
	// name leads to the name, and typ to the type of the Secret; nil if it is that of the object, and if there is no such field.
	name, typ manifest.Path
}

var secretKinds = []secretKind{
	{"", "Secret", nil, manifest.Path{"type"}},
	{"bitnami.com", "SealedSecret", nil, manifest.Path{"spec", "template", "type"}},
	{"external-secrets.io", "ExternalSecret", manifest.Path{"spec", "target", "name"}, manifest.Path{"spec", "target", "template", "type"}},
	{"cert-manager.io", "Certificate", manifest.Path{"spec", "secretName"}, nil},
	{"secrets.hashicorp.com", "VaultStaticSecret", manifest.Path{"spec", "destination", "name"}, manifest.Path{"spec", "destination", "type"}},
	{"secrets.hashicorp.com", "VaultDynamicSecret", manifest.Path{"spec", "destination", "name"}, manifest.Path{"spec", "destination", "type"}},
	{"secrets.hashicorp.com", "VaultPKISecret", manifest.Path{"spec", "destination", "name"}, manifest.Path{"spec", "destination", "type"}},
	{"ricoberger.de", "VaultSecret", nil, manifest.Path{"spec", "type"}},
	{"onepassword.com", "OnePasswordItem", nil, manifest.Path{"type"}},
	{"secrets.infisical.com", "InfisicalSecret", manifest.Path{"spec", "managedSecretReference", "secretName"}, nil},
	{"secrets.doppler.com", "DopplerSecret", manifest.Path{"spec", "managedSecret", "name"}, manifest.Path{"spec", "managedSecret", "type"}},
	{"k8s.bitwarden.com", "BitwardenSecret", manifest.Path{"spec", "secretName"}, nil},
}

// secretsAnywhere are kinds whose controllers create Secrets in namespaces, and under names, that the object does not show.
var secretsAnywhere = map[string]string{
	"ClusterExternalSecret": "external-secrets.io", "SopsSecret": "isindir.github.com", "ClusterPolicy": "kyverno.io", "Policy": "kyverno.io",
	"GeneratingPolicy": "policies.kyverno.io", "NamespacedGeneratingPolicy": "policies.kyverno.io",
}

// Creators are the kinds of objects that can create Secrets, as Kind.group, sorted.
func Creators() []string {
	var kinds []string
	for _, kind := range secretKinds {
		kinds = append(kinds, strings.TrimSuffix(kind.kind+"."+kind.group, "."))
	}
	for kind, group := range secretsAnywhere {
		kinds = append(kinds, kind+"."+group)
	}
	slices.Sort(kinds)
	return kinds
}

type secretSourcesKey struct{}

// secretIndex has the sources of a unit by the names of their Secrets, and by namespace and a part of the name.
type secretIndex struct {
	byName map[string][]Source
	byTypo map[[2]string][]Source
	// unknown is true if an object can create Secrets that it does not name.
	unknown bool
}

func secretSourcesIn(u *objects.Unit) *secretIndex {
	return u.Cached(secretSourcesKey{}, func() any {
		index := &secretIndex{byName: map[string][]Source{}, byTypo: map[[2]string][]Source{}}
		for _, o := range u.Objects {
			index.add(o)
		}
		return index
	}).(*secretIndex)
}

func (i *secretIndex) add(o *objects.Object) {
	if group, is := secretsAnywhere[o.Kind]; is && group == o.Group {
		i.unknown = true
		return
	}
	source, is := SourceOf(o)
	if !is {
		return
	}
	if source.Name == "" || strings.ContainsAny(source.Name, "${<") { // filled in later
		i.unknown = true
		return
	}
	i.byName[source.Name] = append(i.byName[source.Name], source)
	for _, key := range nearest.TypoKeys(source.Name) {
		at := [2]string{source.Namespace, key}
		i.byTypo[at] = append(i.byTypo[at], source)
	}
}

// SourceOf returns what an object writes a Secret as; ok is false for objects of other kinds, and for those that add to a Secret.
func SourceOf(o *objects.Object) (source Source, ok bool) {
	at := slices.IndexFunc(secretKinds, func(k secretKind) bool { return k.kind == o.Kind && k.group == o.Group })
	if at < 0 || addsToSecret(o) {
		return Source{}, false
	}
	kind := secretKinds[at]
	source = Source{
		Object: o, Path: manifest.Path{"metadata", "name"}, Namespace: o.Namespace, Name: o.Name,
		Type: o.Node.Lookup(kind.typ).String(), Copied: requestsCopies(o),
	}
	if kind.typ == nil {
		source.Type = ""
	}
	if named := o.Node.Lookup(kind.name); kind.name != nil && named != nil {
		source.Path, source.Name = kind.name, named.String()
	}
	return source, true
}

// addsToSecret is true for an ExternalSecret that creates no Secret.
func addsToSecret(o *objects.Object) bool {
	policy := o.Node.Lookup(manifest.Path{"spec", "target", "creationPolicy"}).String()
	return o.Kind == "ExternalSecret" && (policy == "Merge" || policy == "None")
}

// copiers are parts of the annotations with which controllers such as Reflector, kubernetes-replicator, and config-syncer are asked
// to copy a Secret.
var copiers = []string{"reflect", "replicat", "sync", "copie", "copy", "clone", "mirror", "share"}

func requestsCopies(o *objects.Object) bool {
	for _, around := range []manifest.Path{
		{"metadata", "annotations"}, {"metadata", "labels"},
		{"spec", "template", "metadata", "annotations"}, {"spec", "target", "template", "metadata", "annotations"},
	} {
		for _, key := range objects.KeysOf(o.Node.Lookup(around)) {
			if slices.ContainsFunc(copiers, func(part string) bool { return strings.Contains(strings.ToLower(key), part) }) {
				return true
			}
		}
	}
	return false
}

// Like returns the sources of Secrets of a name in any namespace, and of names that differ from it by a typing error in a
// namespace.
func Like(u *objects.Unit, namespace, name string) []Source {
	index := secretSourcesIn(u)
	found := slices.Clone(index.byName[name])
	seen := map[*objects.Object]bool{}
	for _, key := range nearest.TypoKeys(name) {
		for _, source := range index.byTypo[[2]string{namespace, key}] {
			if !seen[source.Object] && nearest.Typo(name, source.Name) {
				seen[source.Object] = true
				found = append(found, source)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Source) int { return objects.Compare(a.Object, b.Object) })
	return found
}

// MayExist reports whether an object of a unit creates a Secret of a name in a namespace, or can create it.
func MayExist(u *objects.Unit, namespace, name string) bool {
	index := secretSourcesIn(u)
	return index.unknown || slices.ContainsFunc(index.byName[name], func(s Source) bool {
		return objects.SameNamespace(s.Namespace, namespace) || strings.ContainsAny(s.Namespace, "${<")
	})
}
