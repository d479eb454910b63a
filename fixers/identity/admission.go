package identity

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/admission"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// policyGroups are the API groups of objects by which the API server or a webhook treats requests by who makes them.
var policyGroups = []string{
	"kyverno.io", "policies.kyverno.io", "admissionregistration.k8s.io", "flowcontrol.apiserver.k8s.io",
	"constraints.gatekeeper.sh", "templates.gatekeeper.sh", "config.gatekeeper.sh", "policies.kubewarden.io",
}

// admissionPolicies are the policies of the repository, found once for all extensions of a run. Files that could not be read
// are reported by themselves.
type admissionPolicies struct {
	list []*objects.Object
	// templates are the documents of files with policies that are only known when a template is rendered.
	templates []*manifest.Document
}

// accountSetters are the objects of the repository that set the account of extensions on the cluster.
type accountSetters struct{ list []*objects.Object }

func policiesOf(c *engine.Context) *admissionPolicies {
	return engine.Memo(c, func(c *engine.Context) *admissionPolicies {
		// A name such as {{ .Name }} is valid YAML, and a mapping: it is a template, and no policy.
		named := slices.DeleteFunc(objectsOfGroups(c, policyGroups), func(o *objects.Object) bool { return o.Name == "" })
		return &admissionPolicies{named, templatesOfGroups(c, policyGroups)}
	})
}

// mentionedGroups are the places that name an API group, by the group. All groups are searched for at once, because a search reads
// every manifest.
type mentionedGroups struct{ places map[string][]uses.Place }

func groupsIn(c *engine.Context) *mentionedGroups {
	return engine.Memo(c, func(c *engine.Context) *mentionedGroups {
		places, _ := c.Lookups.GroupReferences(AskedGroups())
		return &mentionedGroups{places}
	})
}

// AskedGroups returns the API groups of whose objects fixes ask, wherever they are in the repository. Sorted.
func AskedGroups() []string {
	groups := slices.Concat(policyGroups, uses.SetterGroups, uses.ReaderGroups)
	slices.Sort(groups)
	return slices.Compact(groups)
}

// filesOfGroups returns the files that name one of some API groups, sorted: an apiVersion can be an alias, or come from another mapping.
func filesOfGroups(c *engine.Context, groups []string) []string {
	files := map[string]bool{}
	for _, group := range groups {
		for _, m := range groupsIn(c).places[group] {
			files[m.File] = true
		}
	}
	return slices.Sorted(maps.Keys(files))
}

// templatesOfGroups returns the documents of these files that are templates of charts. A text in the form of a template that is elsewhere, such as
// in the sources of a program, is applied by nothing that is known.
func templatesOfGroups(c *engine.Context, groups []string) []*manifest.Document {
	var found []*manifest.Document
	for _, file := range filesOfGroups(c, groups) {
		if !isTemplateOfChart(c, file) {
			continue
		}
		read, err := c.Repo.File(file)
		if err != nil || read == nil {
			continue
		}
		for _, doc := range read.Docs {
			if bytes.Contains(doc.Bytes(), []byte("{{")) && (doc.Parse() != nil || !doc.Root.Lookup(manifest.Path{"metadata", "name"}).IsString()) {
				found = append(found, doc)
			}
		}
	}
	return found
}

// isTemplateOfChart reports whether a file is below the templates folder of a chart.
func isTemplateOfChart(c *engine.Context, file string) bool {
	for folder := path.Dir(file); folder != "."; folder = path.Dir(folder) {
		if path.Base(folder) != "templates" {
			continue
		}
		if _, err := c.Repo.Read(path.Join(path.Dir(folder), "Chart.yaml")); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// objectsOfGroups returns the objects of some API groups, also those that no rule judges, in the order of their files.
func objectsOfGroups(c *engine.Context, groups []string) []*objects.Object {
	var found []*objects.Object
	for _, file := range filesOfGroups(c, groups) {
		for _, o := range c.Repo.ObjectsIn(file) {
			if slices.Contains(groups, o.Group) {
				found = append(found, o)
			}
		}
	}
	return found
}

// CheckAccountSetters refuses to change which account an extension names if a policy of the repository sets the account on the cluster.
func CheckAccountSetters(c *engine.Context, o *objects.Object) error {
	setters := engine.Memo(c, func(c *engine.Context) *accountSetters {
		return &accountSetters{slices.DeleteFunc(objectsOfGroups(c, uses.SetterGroups), func(o *objects.Object) bool {
			return uses.Composed(o) || uses.AccountSetter(o) == nil
		})}
	})
	var places []string
	for _, setter := range setters.list {
		places = append(places, fmt.Sprintf("%s at %s", engine.NameOf(setter), setter.Position(uses.AccountSetter(setter))))
	}
	switch len(places) {
	case 0:
		return nil
	case 1:
		return engine.Refuse("%s can set the service account of %s on the cluster: change it first", places[0], engine.NameOf(o))
	}
	return engine.Refuse("%s can set the service account of %s on the cluster: change them first", listPlaces(places), engine.NameOf(o))
}

// accountReaders are the objects that can copy the account of an extension to another object on the cluster.
type accountReaders struct{ list []*objects.Object }

// CheckAccountReaders refuses to remove the account of an extension if another object copies it on the cluster.
func CheckAccountReaders(c *engine.Context, o *objects.Object) error {
	readers := engine.Memo(c, func(c *engine.Context) *accountReaders {
		return &accountReaders{objectsOfGroups(c, uses.ReaderGroups)}
	})
	for _, reader := range readers.list {
		if at := uses.AccountReader(reader, o.Name); at != nil {
			return engine.Refuse("%s at %s copies the service account of an extension to another object, which needs it: change that reference first",
				engine.NameOf(reader), reader.Position(at))
		}
	}
	return nil
}

// DeclareLeftPolicies makes a plan unsafe if admission policies name the account of an extension: they do not match the identity
// as which OLM acts then, so that requests can be rejected, or are no longer limited.
func DeclareLeftPolicies(c *engine.Context, p *engine.Plan, v *Variant) {
	if v.Account.Name == "" || v.Account.Name == olm.Placeholder {
		return
	}
	var places []string
	for _, o := range policiesOf(c).list {
		if path, ok := namesAccount(o, v); ok && !namesSuccessor(o, v) {
			places = append(places, fmt.Sprintf("%s %s at %s:%d", o.Kind, o.Name, o.File, o.Position(path).Line))
		}
	}
	if len(places) == 0 {
		return
	}
	why := fmt.Sprintf("%s, and will not match the identity as which OLM acts then", namedBy(places, engine.SubjectName(v.AccountSubject())))
	if p.Kind != finding.Unsafe {
		p.Kind = finding.Unsafe
		p.Description += "; not safe because " + why
	}
	p.AddNote("%s: add that identity there first", why)
}

// DeclareRejections makes a plan unsafe if a policy of the repository rejects the extension without its account.
func DeclareRejections(c *engine.Context, p *engine.Plan, v *Variant) {
	if v.Account.State == olm.Absent {
		return
	}
	var places, possible []string
	update := updateWithoutAccount(v)
	update.Violations = c.Lookups.Violations
	for _, r := range admission.Rejections(policiesOf(c).list, update) {
		place := fmt.Sprintf("%s %s at %s", r.Object.Kind, r.Object.Name, r.Object.Position(nil))
		if r.Certain {
			places = append(places, place)
		} else {
			possible = append(possible, place)
		}
	}
	for _, doc := range policiesOf(c).templates {
		if update.MayReject(doc.Bytes()) {
			line, _ := doc.File.Position(doc.Span.Start)
			possible = append(possible, fmt.Sprintf("the template of a policy at %s:%d", doc.File.Path, line))
		}
	}
	verb := " rejects "
	if len(places) == 0 {
		places, verb = possible, " can reject "
	}
	if len(places) == 0 {
		return
	}
	if len(places) > 1 {
		verb = strings.Replace(verb, "rejects", "reject", 1)
	}
	why := listPlaces(places) + verb + engine.NameOf(v.Object).String() + " without " + v.Account.Path.String()
	if p.Kind != finding.Unsafe {
		p.Kind = finding.Unsafe
		p.Description += "; not safe because " + why
	}
	p.AddNote("%s: change that policy first", why)
}

// updateWithoutAccount returns the update that removes the account of an extension.
func updateWithoutAccount(v *Variant) admission.Update {
	u := admission.Update{
		Group: olm.APIGroup, Kind: olm.ClusterExtensionKind, Resource: "clusterextensions", Name: v.Object.Name,
		Before: v.Object.JSON(), After: without(v.Object.JSON(), v.Account.Path), Field: v.Account.Path, Labels: map[string]string{},
	}
	for _, label := range v.Object.Node.Lookup(manifest.Path{"metadata", "labels"}).Fields() {
		u.Labels[label.Key.String()] = label.Value.String()
	}
	return u
}

// without returns an object without a field. It shares everything else.
func without(object map[string]any, field manifest.Path) map[string]any {
	left := maps.Clone(object)
	if len(field) == 1 {
		delete(left, field[0])
		return left
	}
	if below, ok := left[field[0]].(map[string]any); ok {
		left[field[0]] = without(below, field[1:])
	}
	return left
}

// maxPlaces is how many policies a message lists.
const maxPlaces = 3

func namedBy(places []string, account string) string {
	verb := " names "
	if len(places) > 1 {
		verb = " name "
	}
	return listPlaces(places) + verb + account
}

// listPlaces lists the first places, and how many more there are.
func listPlaces(places []string) string {
	if more := len(places) - maxPlaces; more > 0 {
		places = append(places[:maxPlaces:maxPlaces], fmt.Sprintf("%d more", more))
	}
	return strings.Join(places, ", ")
}

// namesSuccessor reports whether a policy also names the identity as which OLM acts instead of the account.
func namesSuccessor(o *objects.Object, v *Variant) bool {
	text := o.Doc.Bytes()
	return slices.ContainsFunc([]string{v.UserSubject().Name, engine.GroupSubject().Name, "operatorcontroller-controller-manager", "operator-controller-controller-manager"},
		func(name string) bool { return bytes.Contains(text, []byte(name)) })
}

// namesAccount returns the first field of a policy that names the account of an extension, alone or with all accounts of its
// namespace.
func namesAccount(o *objects.Object, v *Variant) (found manifest.Path, ok bool) {
	user := "system:serviceaccount:" + v.Namespace + ":"
	walkFields(o.Node, nil, func(node, parent *manifest.Node, path manifest.Path) bool {
		text := node.String()
		switch {
		case len(path) < 2 || path[0] == "metadata" || generated(path):
		case strings.Contains(text, user+v.Account.Name), strings.Contains(text, user+"*"), strings.Contains(text, user+`"`), strings.Contains(text, user+"'"),
			text == "system:serviceaccounts:"+v.Namespace:
			found, ok = path, true
		case text == v.Account.Name && path[len(path)-1] == "name":
			if parent.Get("kind") == nil || parent.Get("kind").String() == rbac.KindServiceAccount {
				namespace := parent.Get("namespace").String()
				found, ok = path, namespace == "" || namespace == "*" || namespace == v.Namespace
			}
		}
		return !ok
	})
	return found, ok
}

// generated reports whether a path is in a manifest that a rule of Kyverno generates: it exempts no one.
func generated(path manifest.Path) bool {
	return len(path) > 3 && path[0] == "spec" && path[1] == "rules" && path[3] == "generate"
}

// walkFields calls visit with every scalar below a node, with the mapping or list that has it. It ends when visit returns false.
func walkFields(n *manifest.Node, path manifest.Path, visit func(node, parent *manifest.Node, path manifest.Path) bool) bool {
	for _, f := range n.Fields() {
		at := path.Join(f.Key.String())
		if len(f.Value.Fields())+len(f.Value.Items()) == 0 && !visit(f.Value, n, at) || !walkFields(f.Value, at, visit) {
			return false
		}
	}
	for i, item := range n.Items() {
		at := path.Join(fmt.Sprint(i))
		if len(item.Fields())+len(item.Items()) == 0 && !visit(item, n, at) || !walkFields(item, at, visit) {
			return false
		}
	}
	return true
}
