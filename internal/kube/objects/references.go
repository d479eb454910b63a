package objects

import (
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// ReferenceKind is the way in which an object refers to an account.
type ReferenceKind string

const (
	// Definition is the account's own manifest.
	Definition ReferenceKind = "account"
	// PodAccount is a pod that sets the account it runs as.
	PodAccount ReferenceKind = "pod"
	// PodDefault is a pod that sets none, and runs as `default`.
	PodDefault ReferenceKind = "pod-default"
	// TokenSecret is a Secret that requests a token of the account.
	TokenSecret ReferenceKind = "token-secret"
	// Subject is a subject of a binding, be it a ServiceAccount or the User of that account.
	Subject ReferenceKind = "subject"
	// Installer is a ClusterExtension that is installed as the account.
	Installer ReferenceKind = "extension"
	// UserName is the account's user name anywhere else: SecurityContextConstraints, arguments of a container, and so on.
	UserName ReferenceKind = "user"
	// NamedField is a field named serviceAccountName, serviceAccount, or serviceAccountRef of any other object, such as
	// those of Flux.
	NamedField ReferenceKind = "field"
)

// Reference is an object that refers to an account.
type Reference struct {
	Account Account
	Object  *Object
	// Path leads to the field inside the object. For PodDefault it is the path of the pod specification, and for Definition
	// it is empty.
	Path manifest.Path
	What ReferenceKind
	// Certain is true if the type of the object decides the namespace of the account. Otherwise the namespace of the account is that of
	// the object by convention only, and whatever reads the field may mean another one.
	Certain bool
}

// AccountReferences lists the accounts that an object refers to, each field once, in a stable order. More are further kinds
// that embed a pod specification.
func AccountReferences(o *Object, more ...PodSpecKind) []Reference {
	r := &references{object: o, known: map[string]bool{}}
	r.definition()
	r.pods(more)
	r.tokenSecret()
	r.subjects()
	r.extension()
	r.walk(o.Node, nil)
	return r.found
}

// references collects what one object refers to.
type references struct {
	object *Object
	found  []Reference
	// known are the fields whose meaning is known; the walk through all fields skips them.
	known map[string]bool
}

// add adds a reference whose namespace the type of the object decides.
func (r *references) add(a Account, what ReferenceKind, path manifest.Path) {
	r.known[path.String()] = true
	if a.Name != "" {
		r.found = append(r.found, Reference{a, r.object, path, what, true})
	}
}

func (r *references) definition() {
	if r.object.Kind == accountKind && r.object.Group == "" {
		r.add(Account{r.object.Namespace, r.object.Name}, Definition, nil)
	}
}

func (r *references) pods(more []PodSpecKind) {
	for _, spec := range PodSpecs(r.object, more...) {
		// the ignored alias has no effect
		for _, field := range []string{accountNameField, accountAliasField} {
			r.known[spec.Path.Join(field).String()] = true
		}
		if IsStatic(r.object) {
			continue // not admitted, so it runs as no account
		}
		name, field := spec.Account()
		if field == "" {
			r.add(Account{r.object.Namespace, name}, PodDefault, spec.Path)
			continue
		}
		r.add(Account{r.object.Namespace, name}, PodAccount, spec.Path.Join(field))
	}
}

const (
	tokenSecretType   = "kubernetes.io/service-account-token"
	accountAnnotation = "kubernetes.io/service-account.name"
)

func (r *references) tokenSecret() {
	o := r.object
	if o.Kind != "Secret" || o.Group != "" || o.Node.Get("type").String() != tokenSecretType {
		return
	}
	path := manifest.Path{"metadata", "annotations", accountAnnotation}
	r.add(Account{o.Namespace, o.Node.Lookup(path).String()}, TokenSecret, path)
}

// subjects reads the subjects of bindings, including those of OpenShift's API group. As in the API server, the namespace of
// a RoleBinding is the default for its subjects.
func (r *references) subjects() {
	o := r.object
	if o.Kind != "RoleBinding" && o.Kind != "ClusterRoleBinding" {
		return
	}
	for i, subject := range Items(o.Node.Get("subjects")) {
		path := manifest.Path{"subjects", strconv.Itoa(i), "name"}
		name, namespace := subject.Get("name").String(), subject.Get("namespace").String()
		if account, ok := ParseUser(name); ok && subject.Get("kind").String() == "User" {
			r.add(account, Subject, path)
		}
		if subject.Get("kind").String() != accountKind {
			continue
		}
		if namespace == "" && o.Kind == "RoleBinding" {
			namespace = o.Namespace
		}
		r.add(Account{namespace, name}, Subject, path)
	}
}

func (r *references) extension() {
	extension, ok := r.object.Extension()
	if !ok {
		return
	}
	account := extension.Account
	r.known[account.Path.String()] = true
	if account.Name == "" {
		return
	}
	path := account.Path
	if r.object.Node.Lookup(path).IsMapping() {
		path = path.Join("name")
	}
	r.add(Account{extension.Namespace, account.Name}, Installer, path)
}

// walk visits all other fields. Aliases are not followed: their targets are visited where they are written.
func (r *references) walk(n *manifest.Node, path manifest.Path) {
	for _, field := range n.Fields() {
		key := field.Key.String()
		r.field(key, field.Value, append(path, key))
		r.walk(field.Value, append(path, key))
	}
	for i, item := range n.Items() {
		r.text(item, append(path, strconv.Itoa(i)))
		r.walk(item, append(path, strconv.Itoa(i)))
	}
}

// field records the account that a field names by its key or its value.
func (r *references) field(key string, value *manifest.Node, path manifest.Path) {
	switch key {
	case accountNameField, accountAliasField, "serviceAccountRef":
	default:
		r.text(value, path)
		return
	}
	if _, isUser := ParseUser(value.String()); isUser {
		r.text(value, path)
		return
	}
	if r.known[path.String()] {
		return
	}
	account, at := Account{r.object.Namespace, value.String()}, path.Join()
	if value.IsMapping() {
		account.Name, at = value.Get("name").String(), path.Join("name")
		if namespace := value.Get("namespace").String(); namespace != "" {
			account.Namespace = namespace
		}
	}
	if besideNamespace(r.object) {
		account.Namespace = r.object.Node.Lookup(path[:len(path)-1]).Get("namespace").String()
	}
	if account.Name != "" {
		r.found = append(r.found, Reference{account, r.object, at, NamedField, besideNamespace(r.object) || namesOwnNamespace(r.object, path)})
	}
}

// besideNamespace reports whether the fields of an object with an account have its namespace beside them.
func besideNamespace(o *Object) bool { return o.Kind == "PodIdentityAssociation" }

// text records the account of a user name.
func (r *references) text(n *manifest.Node, path manifest.Path) {
	if !strings.HasPrefix(n.String(), accountUserPrefix) || r.known[path.String()] {
		return
	}
	if account, ok := ParseUser(n.String()); ok {
		r.add(account, UserName, path.Join())
	}
}
