package accesspolicy

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// Group is the API group of OLM v1, and CatalogKind its kind of catalogs.
const (
	Group       = "olm.operatorframework.io"
	CatalogKind = "ClusterCatalog"
)

// Scope is which subjects a policy limits, and to what.
type Scope struct {
	// Subjects are the limited subjects, sorted.
	Subjects []rbac.Subject
	// Extensions and Catalogs are what they can write, sorted.
	Extensions []Extension
	Catalogs   []Catalog
	// Notes report what could not be limited or is not allowed, and why.
	Notes []Note
}

// Note is a remark about a place in a file.
type Note struct {
	Position objects.Position
	Message  string
}

// Extension is what can be installed: a package, in a namespace, from the catalogs that the selector selects. Account is
// the service account that can be set, Version the version that can be requested; "" means no account and any version.
type Extension struct {
	Package, Namespace, Version, Account string
	// Labels are the entries of spec.source.catalog.selector.matchLabels, sorted by key, and Expressions the entries of
	// matchExpressions.
	Labels      []Label
	Expressions []Expression
	// Settings are the settings of the extension. Others are not allowed.
	Settings Settings
}

// Label is an entry of matchLabels, Expression one of matchExpressions.
type (
	Label      struct{ Key, Value string }
	Expression struct {
		Key, Operator string
		Values        []string
	}
)

// Catalog can be written with its image, in any version.
type Catalog struct{ Name, Image string }

// Options are the options of the user.
type Options struct {
	// Subjects are limited in addition to those that the repository allows to write extensions.
	Subjects []rbac.Subject
	// Pin limits the version to the one that an extension in the repository requests.
	Pin bool
}

// Gather reads units. What several units contain is listed once.
func Gather(units []*objects.Unit, o Options) *Scope {
	s := &Scope{}
	for _, subject := range o.Subjects {
		s.Subjects = append(s.Subjects, canonical(subject))
	}
	for _, unit := range units {
		for _, w := range s.writers(unit) {
			s.Subjects = append(s.Subjects, canonical(w.Subject))
		}
		for _, object := range unit.Objects {
			if object.Group != Group {
				continue
			}
			switch object.Kind {
			case olm.ClusterExtensionKind:
				s.extension(object, o.Pin)
			case CatalogKind:
				s.catalog(object)
			}
		}
	}
	slices.SortFunc(s.Subjects, func(a, b rbac.Subject) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
	})
	s.Subjects = slices.Compact(s.Subjects)
	s.noteChangers(units)
	s.Extensions = sortedOnce(s.Extensions)
	s.Catalogs = sortedOnce(s.Catalogs)
	slices.SortFunc(s.Notes, func(a, b Note) int {
		return cmp.Or(strings.Compare(a.Position.File, b.Position.File), cmp.Compare(a.Position.Line, b.Position.Line), strings.Compare(a.Message, b.Message))
	})
	s.Notes = slices.Compact(s.Notes)
	return s
}

// canonical returns the account of a user name such as system:serviceaccount:ci:deployer. The API server treats the two as
// one.
func canonical(s rbac.Subject) rbac.Subject {
	if account, ok := objects.ParseUser(s.Name); ok && s.Kind == rbac.KindUser {
		return rbac.Account(account)
	}
	return s
}

// keyed has a clause, which is unique among its kind.
type keyed interface{ clause() string }

// sortedOnce sorts a list and removes duplicates.
func sortedOnce[T keyed](list []T) []T {
	slices.SortFunc(list, func(a, b T) int { return strings.Compare(a.clause(), b.clause()) })
	return slices.CompactFunc(list, func(a, b T) bool { return a.clause() == b.clause() })
}

func (s *Scope) note(o *objects.Object, path manifest.Path, format string, args ...any) {
	s.Notes = append(s.Notes, Note{o.Position(path), fmt.Sprintf(format, args...)})
}

// extension adds what an extension in the repository installs. A name that is substituted later cannot be allowed.
func (s *Scope) extension(o *objects.Object, pin bool) {
	read, ok := olm.ReadExtension(o.Node)
	if !ok {
		return
	}
	called := "ClusterExtension " + o.Name
	for _, text := range []string{read.Package, read.Namespace, read.Account.Name} {
		if rbac.Templated(text) {
			s.note(o, nil, "%s is not allowed: %s is substituted later", called, text)
			return
		}
	}
	if read.Package == "" || read.Namespace == "" {
		s.note(o, nil, "%s is not allowed: it sets no package or no namespace", called)
		return
	}
	e := Extension{Package: read.Package, Namespace: read.Namespace, Account: read.Account.Name}
	selector := manifest.Path{"spec", "source", "catalog", "selector"}
	if ok := e.readSelector(o.Node.Lookup(selector)); !ok {
		s.note(o, selector, "%s is not allowed: its catalog selector is invalid or substituted later", called)
		return
	}
	if len(e.Labels)+len(e.Expressions) == 0 {
		s.note(o, nil, "%s can come from any catalog, because it selects none: set spec.source.catalog.selector", called)
	}
	e.Settings = readSettings(o.Node.Get("spec"))
	if rbac.Templated(e.Settings.literal()) {
		s.note(o, manifest.Path{"spec"}, "%s is not allowed: its configuration, channels or checks are substituted later", called)
		return
	}
	if pin {
		e.Version = read.Version
	}
	if pin && (e.Version == "" || rbac.Templated(e.Version)) {
		e.Version = ""
		s.note(o, nil, "%s can have any version, because its manifest sets none", called)
	}
	s.Extensions = append(s.Extensions, e)
}

// readSelector returns false if the API server would reject the selector, or if part of it is substituted later.
func (e *Extension) readSelector(selector *manifest.Node) bool {
	var read struct {
		MatchLabels      map[string]string
		MatchExpressions []Expression
	}
	text, err := json.Marshal(selector.Decode())
	if err != nil || rbac.Templated(string(text)) || json.Unmarshal(text, &read) != nil {
		return false
	}
	for _, key := range slices.Sorted(maps.Keys(read.MatchLabels)) {
		e.Labels = append(e.Labels, Label{key, read.MatchLabels[key]})
	}
	e.Expressions = read.MatchExpressions
	return true
}

func (s *Scope) catalog(o *objects.Object) {
	path := manifest.Path{"spec", "source", "image", "ref"}
	ref := o.Node.Lookup(path)
	image := repository(ref.String())
	switch {
	case rbac.Templated(o.Name), rbac.Templated(image):
		s.note(o, path, "ClusterCatalog %s is not allowed: its name or image is substituted later", o.Name)
	case o.Name == "" || !ref.IsScalar() || image == "":
		s.note(o, path, "ClusterCatalog %s is not allowed: it sets no image", o.Name)
	default:
		s.Catalogs = append(s.Catalogs, Catalog{o.Name, image})
	}
}

// repository returns an image without its tag and digest.
func repository(ref string) string {
	ref, _, _ = strings.Cut(ref, "@")
	if i := strings.LastIndexByte(ref, ':'); i > strings.LastIndexByte(ref, '/') {
		ref = ref[:i]
	}
	return ref
}
