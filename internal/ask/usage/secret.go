package usage

import (
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/secrets"
)

func rulePath(rule, name int) manifest.Path {
	return manifest.Path{"rules", strconv.Itoa(rule), "resourceNames", strconv.Itoa(name)}
}

// isDefinedBy reports whether an object creates what is asked about.
func (q Question) isDefinedBy(o *objects.Object) bool {
	switch q.Kind {
	case audience:
		return false
	case secret:
		return writesSecret(o, q.Name)
	case account:
		return o.Group == "" && o.Kind == account && o.Name == q.Name
	}
	return o.Group == rbac.Group && o.Kind == q.Kind && o.Name == q.Name
}

// writesSecret reports whether an object is a Secret of a name, or one whose controller writes it.
func writesSecret(o *objects.Object, name string) bool {
	if source, is := secrets.SourceOf(o); is {
		return source.Name == name
	}
	return isGrafanaToken(o) && slices.ContainsFunc(objects.Items(o.Node.Lookup(manifest.Path{"spec", "tokens"})), func(token *manifest.Node) bool {
		return token.Get("secretName").String() == name
	})
}

func isGrafanaToken(o *objects.Object) bool {
	return o.Group == "grafana.integreatly.org" && o.Kind == "GrafanaServiceAccount"
}

// secretUses returns the places of an object that use a Secret.
func (f *finder) secretUses(o *objects.Object, s Subject) []Use {
	if writesSecret(o, s.Name) {
		return tokenSecretUse(o, s)
	}
	var found []Use
	known := map[string]bool{}
	for _, ref := range secrets.References(o, f.Pods...) {
		known[ref.Path.String()] = true
		switch {
		case ref.Name == s.Name:
			found = append(found, s.inNamespace(o.Namespace, Use{Path: ref.Path, Effect: Needs, How: howSecret(o, ref), Accounts: podAccounts(o)})...)
		case rbac.OnlyPlaceholders(ref.Name):
			found = append(found, s.inNamespace(o.Namespace, Use{Path: ref.Path, Effect: May, How: "may name it once its placeholders are filled in"})...)
		}
	}
	eachValue(o.Node, nil, func(n *manifest.Node, path manifest.Path) {
		if n.String() == s.Name && !known[path.String()] {
			found = append(found, s.secretField(o, path)...)
		}
	})
	return append(found, s.namedInRules(o, "secrets")...)
}

// tokenSecretUse returns the use of a Secret with a token of an account, which programs outside of the cluster can have.
func tokenSecretUse(o *objects.Object, s Subject) []Use {
	if o.Kind != secret || !slices.ContainsFunc(o.References(), func(r objects.Reference) bool { return r.What == objects.TokenSecret }) {
		return nil
	}
	return s.inNamespace(o.Namespace, Use{Path: manifest.Path{"type"}, Effect: May, How: "holds a token that does not expire; who uses that token is not known"})
}

func howSecret(o *objects.Object, ref secrets.Reference) string {
	switch {
	case o.Kind == account && ref.Pulls:
		return "gives it to its pods to pull images"
	case o.Kind == account:
		return "lists it"
	case ref.Pulls:
		return "pulls images with it"
	case ref.Mount:
		return "mounts it"
	}
	return "reads it into its environment"
}

// secretField returns the use of a field with the name of a Secret: the field, or the kind beside it, can say that it is one. Other fields
// of kinds that Kubernetes does not define may name it.
func (s Subject) secretField(o *objects.Object, path manifest.Path) []Use {
	owner := o.Node.Lookup(path[:len(path)-1])
	kind := owner.Get("kind").String()
	isRef := slices.ContainsFunc(path, func(step string) bool {
		lower := strings.ToLower(step)
		return strings.Contains(lower, "secret") || strings.HasSuffix(lower, "certificaterefs")
	})
	u := Use{Path: path.Join(), Effect: Needs, How: "refers to it"}
	switch {
	case isText(o, path), isOtherName(path), kind != "" && kind != secret, path[len(path)-2:][0] == "resourceNames":
		return nil
	case kind == secret, isRef:
	case isBuiltIn(o):
		return nil
	default:
		u.Effect, u.How = May, "has its name"
	}
	namespace := o.Namespace
	if beside := owner.Get("namespace").String(); beside != "" {
		namespace = beside
	}
	return s.inNamespace(namespace, u)
}

// isOtherName reports whether a field is known to have the name of something else: the object itself, a label, an image, a host.
func isOtherName(path manifest.Path) bool {
	if path[0] == "metadata" || len(path) < 2 {
		return true
	}
	return slices.ContainsFunc(path, func(step string) bool {
		lower := strings.ToLower(step)
		return strings.HasSuffix(lower, "labels") || strings.HasSuffix(lower, "selector") || strings.HasSuffix(lower, "image") ||
			strings.HasSuffix(lower, "namespace") || strings.HasSuffix(lower, "host") || strings.HasSuffix(lower, "configmap") || strings.HasSuffix(lower, "configmapref")
	})
}

// eachValue visits the scalars below a node. The path is valid during the call.
func eachValue(n *manifest.Node, path manifest.Path, visit func(*manifest.Node, manifest.Path)) {
	for _, field := range n.Fields() {
		eachValue(field.Value, append(path, field.Key.String()), visit)
	}
	for i, item := range n.Items() {
		eachValue(item, append(path, strconv.Itoa(i)), visit)
	}
	if n.IsScalar() && len(path) > 1 {
		visit(n, path)
	}
}
