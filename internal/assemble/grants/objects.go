package grants

import (
	"bytes"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// policyGroups are the ends of the API groups of objects whose subjects are those that they limit or exempt.
var policyGroups = []string{"kyverno.io", "gatekeeper.sh", "admissionregistration.k8s.io", "flowcontrol.apiserver.k8s.io", "kubewarden.io", rbac.Group, "authorization.openshift.io"}

// Kinds returns the kinds of objects of a deployment unit in which [ReadObject] looks for bindings: those of well-known controllers
// that make some.
func Kinds() []string {
	return []string{"ClusterPermission", "RBACDefinition", "ProjectRoleTemplateBinding", "ClusterRoleTemplateBinding", "ClusterServiceVersion", "Tenant", "Project"}
}

// ofDocuments returns the bindings in YAML that salint does not read as objects: in tasks of Ansible, in templates of controllers such as
// kro, in objects of which a controller makes bindings, such as ClusterPermissions, in the texts and commands of objects, and in documents
// that cannot be parsed. Read are the lines of which the commands are known.
func ofDocuments(file string, data []byte, read map[int]bool) []Grant {
	var found []Grant
	for _, doc := range manifest.Scan(file, data).Docs {
		if !worthReading(doc.Bytes()) {
			continue
		}
		if doc.Parse() != nil {
			line, _ := doc.File.Position(doc.Span.Start)
			found = append(found, ofText(file, doc.Bytes(), line-1)...)
			continue
		}
		w := newWalker(doc, doc.File.Position)
		w.read = read
		w.walk(doc.Root, place{})
		found = append(found, w.found...)
	}
	return found
}

// ReadObject returns the bindings that an object of a deployment unit makes, as it is applied: what [Read] finds in a file.
func ReadObject(o *objects.Object) []Grant {
	doc := o.Doc
	if o.Applied != nil {
		doc = o.Applied.Doc
	}
	if !worthReading(doc.Bytes()) {
		return nil
	}
	at := o.Position(nil)
	w := newWalker(doc, func(int) (line, column int) { return at.Line, at.Column })
	w.file = at.File
	w.walk(o.Node, place{})
	return w.found
}

// walker looks for subjects in a document.
type walker struct {
	file     string
	position func(offset int) (line, column int)
	known    map[*manifest.Node]bool // objects whose subjects are read, or are not bound
	read     map[int]bool
	found    []Grant
}

func newWalker(doc *manifest.Document, position func(int) (line, column int)) walker {
	w := walker{file: doc.File.Path, position: position, known: map[*manifest.Node]bool{}}
	for _, o := range objects.AllObjects(doc) {
		if isFilledIn(doc, o) {
			continue
		}
		isPolicy := slices.ContainsFunc(policyGroups, func(end string) bool { return strings.HasSuffix(o.Group, end) })
		if isPolicy || strings.HasSuffix(o.Group, ".config.k8s.io") {
			w.known[doc.Root.Lookup(o.Path)] = true
		}
	}
	return w
}

// place is what is known of the place of a node.
type place struct {
	// inObject is true within an object of any type, and bound within a field for bindings.
	inObject, bound bool
	// namespace is that of the object, and binds is that of the RoleBinding around the place; "" if there is none.
	namespace, binds string
}

// walk walks through a node.
func (w *walker) walk(n *manifest.Node, p place) {
	if w.known[n] {
		w.generated(n, p)
		return
	}
	if n.IsScalar() {
		w.scalar(n)
		return
	}
	if isOfSubjects(n) {
		w.patched(n, p)
		return
	}
	w.command(n)
	for _, item := range objects.Items(n) {
		if !item.IsScalar() || !isCommand(n) {
			w.walk(item, p)
		}
	}
	p = p.inside(n)
	for _, field := range n.Fields() {
		w.field(n, field, p)
	}
}

// inside returns what is known of the fields of a mapping.
func (p place) inside(n *manifest.Node) place {
	kind := n.Get("kind").String()
	if kind != "" && n.Get("apiVersion").IsScalar() {
		p.inObject, p.namespace = true, n.Get("metadata").Get("namespace").String()
	}
	p.bound = p.bound || isBinding(kind) || slices.ContainsFunc(n.Fields(), func(f manifest.Field) bool { return bindingWord().MatchString(f.Key.String()) })
	if kind == "RoleBinding" {
		p.binds = n.Get("metadata").Get("namespace").String()
	}
	return p
}

// isBinding reports whether objects of a kind bind a role.
func isBinding(kind string) bool {
	return strings.HasSuffix(kind, "RoleBinding") || strings.HasSuffix(kind, "RoleTemplateBinding")
}

// generated walks through what a policy generates.
func (w *walker) generated(n *manifest.Node, p place) {
	for _, item := range objects.Items(n) {
		w.generated(item, p)
	}
	for _, field := range n.Fields() {
		if field.Key.String() == "generate" {
			w.walk(field.Value, p)
			continue
		}
		w.generated(field.Value, p)
	}
}

// field looks for subjects in a field of a mapping.
func (w *walker) field(n *manifest.Node, field manifest.Field, p place) {
	switch key := field.Key.String(); {
	case p.bound && slices.Contains([]string{"subject", "subjects", "subjectRef", "subjectRefs", "users"}, key):
		w.addAll(field.Value, p)
	case p.inObject && slices.Contains([]string{"members", "owners"}, key) && namesSubjects(field.Value):
		w.addAll(field.Value, p)
	case (key == "userName" || key == "groupName") && strings.HasSuffix(n.Get("kind").String(), "RoleTemplateBinding"):
		w.addAll(field.Value, p)
	case isAccountField(key) && (n.Get("roleRef") != nil || isBinding(n.Get("kind").String())):
		w.addAccount(field.Value, p)
	case key == "clusterPermissions" || key == "permissions" && p.inObject:
		for _, item := range objects.Items(field.Value) {
			if account := item.Get("serviceAccountName"); account != nil && item.Get("rules") != nil {
				w.addAccount(account, p)
			}
		}
	default:
		w.walk(field.Value, p)
	}
}

func isAccountField(key string) bool {
	return slices.Contains([]string{"serviceAccount", "serviceAccountName", "serviceAccountRef"}, key)
}

// namesSubjects reports whether a list has subjects of bindings, as those of roles do.
func namesSubjects(list *manifest.Node) bool {
	return slices.ContainsFunc(objects.Items(list), func(item *manifest.Node) bool {
		return slices.Contains([]string{rbac.KindServiceAccount, rbac.KindUser, rbac.KindGroup}, item.Get("kind").String())
	})
}

// addAll adds a subject, or each of a list. A text with a placeholder is filled in when the text runs, with any subject.
func (w *walker) addAll(n *manifest.Node, p place) {
	for _, item := range objects.Items(n) {
		w.add(item, p)
	}
	if !n.IsSequence() {
		w.add(n, p)
	}
}

func (w *walker) add(subject *manifest.Node, p place) {
	s := rbac.Subject{Kind: subject.Get("kind").String(), Namespace: filledIn(subject.Get("namespace").String()), Name: filledIn(subject.Get("name").String())}
	switch text := subject.String(); {
	case text == "" && !subject.IsMapping():
		return
	case strings.HasPrefix(text, "system:serviceaccounts"):
		s = rbac.Subject{Kind: rbac.KindGroup, Name: text}
	case rbac.Templated(text):
		s = rbac.Subject{Kind: rbac.KindServiceAccount, Name: Unknown}
	case text != "":
		s = rbac.Subject{Kind: rbac.KindUser, Name: text}
	case s.Name == "":
		s.Name = Unknown
	}
	if user, ok := objects.ParseUser(s.Name); ok {
		s = rbac.Account(user)
	}
	w.grant(subject, s, p)
}

// addAccount adds an account that a field names: as NAME, as NAMESPACE:NAME, or with fields for both.
func (w *walker) addAccount(account *manifest.Node, p place) {
	s := rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: account.Get("namespace").String(), Name: account.Get("name").String()}
	if account.IsScalar() {
		s.Name = account.String()
		if before, after, ok := strings.Cut(s.Name, ":"); ok {
			s.Namespace, s.Name = before, after
		}
	}
	if s.Name == "" {
		return
	}
	if s.Namespace == "" && p.namespace != bundleNamespace {
		s.Namespace = p.namespace
	}
	w.grant(account, s, p)
}

// bundleNamespace is what the bundles of OLM have as the namespace, before they are installed.
const bundleNamespace = "placeholder"

func (w *walker) grant(n *manifest.Node, s rbac.Subject, p place) {
	line, column := w.position(n.Span().Start)
	w.found = append(w.found, Grant{Position: objects.Position{File: w.file, Line: line, Column: column}, Subject: s, Namespace: p.binds})
}

// scalar looks for subjects in a text of several lines, such as a manifest in a ConfigMap, and for a command in one that is folded.
func (w *walker) scalar(n *manifest.Node) {
	value := n.String()
	if w.patch(n, value) {
		return
	}
	if !bindingWord().MatchString(value) && !bindingCommand().MatchString(value) {
		return
	}
	line, column := w.position(n.Span().Start)
	isBlock := n.Style()&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
	t := text{lines: bytes.Split([]byte(value), []byte("\n"))}
	w.found = append(w.found, t.grants(func(i int) objects.Position {
		if isBlock {
			return objects.Position{File: w.file, Line: line + 1 + i, Column: 1}
		}
		return objects.Position{File: w.file, Line: line, Column: column}
	})...)
	if n.Style()&yaml.LiteralStyle == 0 && !w.isRead(n) {
		w.found = append(w.found, ofWords(words(value), objects.Position{File: w.file, Line: line, Column: column})...)
	}
}

// command looks for a binding in the arguments of a command, which a mapping can have in two fields.
func (w *walker) command(n *manifest.Node) {
	var arguments []string
	for _, field := range n.Fields() {
		if isCommand(field.Value) {
			for _, item := range objects.Items(field.Value) {
				arguments = append(arguments, item.String())
			}
		}
	}
	if len(arguments) == 0 || w.isRead(n) {
		return
	}
	line, column := w.position(n.Span().Start)
	w.found = append(w.found, ofWords(words(strings.Join(arguments, " ")), objects.Position{File: w.file, Line: line, Column: column})...)
}

// isCommand reports whether a node can be the arguments of a command: a list of texts, each of one line.
func isCommand(n *manifest.Node) bool {
	items := objects.Items(n)
	return len(items) > 0 && !slices.ContainsFunc(items, func(item *manifest.Node) bool {
		return !item.IsScalar() || strings.Contains(item.String(), "\n")
	})
}

// isRead reports whether the commands of a node are known.
func (w *walker) isRead(n *manifest.Node) bool {
	first, _ := w.position(n.Span().Start)
	last, _ := w.position(n.Span().End)
	for line := first; line <= last; line++ {
		if w.read[line] {
			return true
		}
	}
	return false
}
