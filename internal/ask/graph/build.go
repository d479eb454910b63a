package graph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/preflight/installer"
	"github.com/salint/salint/internal/output/picture"
)

// Options say what to draw in addition.
type Options struct {
	// Identities are user names of a question: their default groups are drawn too, as for the identities that OLM uses.
	Identities []string
	// Pods draws the objects with pods, which must be among the kinds that were read.
	Pods bool
}

// Build draws the extensions and bindings of some units of a repository. Names resolve in the clusters of the units, so bindings of other units to the
// identities of these extensions are drawn, too. The kinds read must include those of RBAC and loader.Installers.
func Build(w *loader.Repository, units []*objects.Unit, options Options) *picture.Graph {
	g, accounts := &picture.Graph{}, accountsOf(w)
	drawn := map[string]bool{} // plain files that are drawn in a cluster
	for _, scope := range w.ScopesOf(units) {
		b := newBuilder(g, scope, w, accounts)
		b.own = ownObjects(scope, units, drawn)
		b.draw(extensionsIn(w, scope, units), options)
	}
	return g
}

// ownObjects returns the refs of the objects of a scope that are drawn, because some units have them.
func ownObjects(scope *objects.Unit, units []*objects.Unit, drawn map[string]bool) map[string]bool {
	own, plain := map[string]bool{}, map[string]bool{}
	for _, u := range units {
		if u.Kind == objects.PlainUnit {
			for _, o := range u.Objects {
				plain[o.Ref()] = !drawn[o.Ref()]
			}
		}
	}
	for _, part := range scope.Parts() {
		for _, o := range part.Objects {
			switch ref := o.Ref(); {
			case part.Kind == objects.PlainUnit && plain[ref]:
				own[ref], drawn[ref] = true, true
			case part.Kind != objects.PlainUnit && slices.Contains(units, part):
				own[ref] = true
			}
		}
	}
	return own
}

// extensionsIn returns the extensions of those parts of a scope that are among some units.
func extensionsIn(w *loader.Repository, scope *objects.Unit, units []*objects.Unit) []loader.Extension {
	var all []loader.Extension
	for _, part := range scope.Parts() {
		if part.Kind == objects.PlainUnit || slices.Contains(units, part) {
			all = append(all, w.ExtensionsIn(part)...)
		}
	}
	return all
}

// builder draws one scope.
type builder struct {
	graph      *picture.Graph
	unit       *objects.Unit
	repository *loader.Repository
	place      int
	ids        map[string]string // of nodes, by their keys
	edges      map[picture.Edge]bool
	// own are the refs of the objects whose bindings and extensions are drawn.
	own map[string]bool
	// admins are the roles that are effectively cluster-admin.
	admins map[string]bool
	// possible are roles that only units have of which it is not known whether the same cluster gets them.
	possible map[string]bool
	owned    map[string][]owner // by subject
	// acting are the identities that OLM uses for an extension, and unused those that an extension names without effect.
	acting, unused map[string]bool
	accounts       accounts
}

func newBuilder(g *picture.Graph, unit *objects.Unit, w *loader.Repository, accounts accounts) *builder {
	return &builder{
		graph: g, unit: unit, repository: w, place: len(g.Units), accounts: accounts,
		ids: map[string]string{}, edges: map[picture.Edge]bool{}, admins: map[string]bool{}, possible: map[string]bool{}, owned: map[string][]owner{},
		acting: map[string]bool{}, unused: map[string]bool{},
	}
}

func (b *builder) draw(extensions []loader.Extension, options Options) {
	before, subjects := len(b.graph.Nodes), b.subjects()
	extensions = slices.DeleteFunc(extensions, func(e loader.Extension) bool { return !b.own[e.Object.Ref()] })
	for _, e := range extensions {
		b.extension(e, len(extensions) > 1, subjects)
	}
	b.markUnused()
	b.bindings()
	if options.Pods {
		b.pods()
	}
	for _, name := range options.Identities {
		b.member(rbac.Subject{Kind: rbac.KindUser, Name: name}, subjects)
	}
	if len(b.graph.Nodes) > before {
		shown := b.unit.Shown()
		b.graph.Units = append(b.graph.Units, picture.Unit{Root: shown.Root, Kind: shown.Kind, Name: shown.Name})
	}
}

// owner is the identity of one of several extensions with the same name in a plain unit, with the bindings that belong to
// it.
type owner struct {
	id       string
	bindings map[*objects.Object]bool
}

// add draws a node once, and returns its ID.
func (b *builder) add(key string, n picture.Node) string {
	if id, drawn := b.ids[key]; drawn {
		return id
	}
	n.ID, n.Unit = fmt.Sprintf("n%d", len(b.graph.Nodes)), b.place
	b.ids[key] = n.ID
	b.graph.Nodes = append(b.graph.Nodes, n)
	return n.ID
}

func (b *builder) edge(e picture.Edge) {
	if !b.edges[e] {
		b.edges[e] = true
		b.graph.Edges = append(b.graph.Edges, e)
	}
}

// subjectKey identifies a subject as the API server does: an account is the user of its name.
func subjectKey(s rbac.Subject) string {
	if s.Kind == rbac.KindGroup {
		return "group " + s.Name
	}
	return "user " + s.Identity().User
}

// subjects returns the subjects of the unit's bindings.
func (b *builder) subjects() map[string]rbac.Subject {
	found := map[string]rbac.Subject{}
	for _, binding := range rbac.Bindings(b.unit) {
		found[subjectKey(binding.Subject)] = binding.Subject
	}
	return found
}

// extension draws an extension and the identity that OLM uses for it.
func (b *builder) extension(e loader.Extension, rivals bool, subjects map[string]rbac.Subject) {
	id := b.add("extension "+e.Object.Ref(), picture.Node{
		Kind: picture.Extension, Object: e.Kind, Name: e.Object.Name, Note: targetNote(e.Resolved), Position: e.Object.Position(nil),
	})
	who, err := installer.Of(e, b.repository.Units)
	switch {
	case err != nil:
		unknown := b.add("unknown "+e.Object.Ref(), picture.Node{Kind: picture.Identity, Note: "it is unknown which identity OLM uses", Unknown: true})
		b.edge(picture.Edge{From: id, To: unknown, Kind: picture.ActsAs})
		return
	case who.Acting == installer.AsOwnAccount:
		b.edge(picture.Edge{From: id, To: b.ownAccount(who.Own, subjects), Kind: picture.ActsAs})
		b.unusedIdentity(id, e, who.Identity, subjects)
		return
	}
	subject := subjectOf(who.Identity)
	key := subjectKey(subject)
	identity := b.identity(key, subject, e.Object, who.Identity, rivals)
	b.edge(picture.Edge{From: id, To: identity, Kind: picture.ActsAs})
	b.acting[identity] = true
	b.memberships(identity, who.Identity, subjects)
}

// ownAccount draws OLM's own account: as the account that the unit binds, if it binds it.
func (b *builder) ownAccount(own rbac.OwnAccount, subjects map[string]rbac.Subject) string {
	account := rbac.Account(own.Account)
	if _, bound := subjects[subjectKey(account)]; bound && own.Shown() {
		id := b.subject(account)
		b.memberships(id, account.Identity(), subjects)
		return id
	}
	return b.add("olm", picture.Node{Kind: picture.Identity, Object: rbac.KindServiceAccount, Name: "OLM's own account", Admin: !own.Restricted()})
}

// member draws an identity of a question if a binding in the unit names it or one of its groups.
func (b *builder) member(s rbac.Subject, subjects map[string]rbac.Subject) {
	if _, isGroup := subjects[subjectKey(rbac.Subject{Kind: rbac.KindGroup, Name: s.Name})]; isGroup {
		return
	}
	who := s.Identity()
	reached := func(name string) bool {
		_, bound := subjects[subjectKey(rbac.Subject{Kind: rbac.KindGroup, Name: name})]
		return bound
	}
	if _, bound := subjects[subjectKey(s)]; bound || slices.ContainsFunc(who.Groups, reached) {
		b.memberships(b.subject(subjectOf(who)), who, subjects)
	}
}

// memberships draws the groups of an identity that have bindings.
func (b *builder) memberships(id string, who rbac.Identity, subjects map[string]rbac.Subject) {
	for _, group := range who.Groups {
		s := rbac.Subject{Kind: rbac.KindGroup, Name: group}
		if _, bound := subjects[subjectKey(s)]; bound {
			b.edge(picture.Edge{From: id, To: b.subject(s), Kind: picture.Member})
		}
	}
}

func targetNote(v loader.ResolvedTarget) string {
	if !v.Known {
		return "target unknown"
	}
	return "target " + v.Target.Name
}

// subjectOf returns the subject with which a binding names an identity.
func subjectOf(who rbac.Identity) rbac.Subject {
	if account, ok := objects.ParseUser(who.User); ok {
		return rbac.Account(account)
	}
	return rbac.Subject{Kind: rbac.KindUser, Name: who.User}
}

// identity draws the identity of an extension. In the plain unit, extensions of several clusters can have identities with
// the same name: each then has its own node, with the bindings that are nearest to the extension.
func (b *builder) identity(key string, s rbac.Subject, from *objects.Object, who rbac.Identity, rivals bool) string {
	if b.unit.Kind != objects.PlainUnit || !rivals {
		return b.subject(s)
	}
	all, near := rbac.BindingsFor(b.unit, nil, who), rbac.BindingsFor(b.unit, from, who)
	if len(all) == len(near) {
		return b.subject(s)
	}
	n := subjectNode(s)
	n.Note = picture.NearestTo + from.File
	n.Missing = b.accounts.missing(n)
	n.Admin = b.isAdmin(from, who)
	o := owner{b.add(key+" of "+from.Ref(), n), map[*objects.Object]bool{}}
	for _, binding := range near {
		if binding.Via == "" {
			o.bindings[binding.Object] = true
		}
	}
	b.owned[key] = append(b.owned[key], o)
	return o.id
}

// subject draws a subject that is not divided among extensions.
func (b *builder) subject(s rbac.Subject) string {
	key := subjectKey(s)
	if id, drawn := b.ids[key]; drawn {
		return id
	}
	n := subjectNode(s)
	n.Admin = b.isAdmin(nil, s.Identity())
	b.manifest(&n)
	return b.add(key, n)
}

func subjectNode(s rbac.Subject) picture.Node {
	n := picture.Node{Kind: picture.Identity, Object: s.Kind, Namespace: s.Namespace, Name: s.Name}
	if s.Kind == rbac.KindUser {
		if account, ok := objects.ParseUser(s.Name); ok {
			n.Object, n.Namespace, n.Name = rbac.KindServiceAccount, account.Namespace, account.Name
		}
	}
	switch {
	case n.Object == rbac.KindServiceAccount && n.Namespace == "":
		n.Namespace, n.Unknown = rbac.UnknownNamespace, true
	case rbac.Templated(n.Name) || rbac.Templated(n.Namespace):
		n.Unknown, n.Note = true, "substituted later"
	case s.Kind == rbac.KindUser && strings.HasPrefix(s.Name, olm.User("")):
		n.Note = "synthetic identity"
	}
	return n
}

// bindings draws the own bindings, and others with a subject that is drawn already, with their subjects and roles.
func (b *builder) bindings() {
	for _, binding := range rbac.Bindings(b.unit) {
		if _, drawn := b.ids[subjectKey(binding.Subject)]; !drawn && !b.own[binding.Object.Ref()] {
			continue
		}
		role, admin := b.role(binding)
		n := picture.Node{
			Kind: picture.Binding, Object: binding.Object.Kind, Namespace: binding.Object.Namespace, Name: binding.Object.Name,
			Position: binding.Object.Position(nil), Admin: admin && binding.Scope == "" && binding.Refused == "",
		}
		if binding.Scope == rbac.UnknownNamespace || rbac.Templated(binding.Scope) {
			n.Unknown, n.Note = true, "in an unknown namespace"
		}
		if binding.Refused != "" {
			n.Unknown, n.Note = true, access.RefusedText(binding)
		}
		id := b.add("binding "+binding.Object.Ref(), n)
		for _, subject := range b.holders(binding) {
			b.edge(picture.Edge{From: subject, To: id, Kind: picture.BoundBy, Refused: binding.Refused != ""})
		}
		b.edge(picture.Edge{From: id, To: role, Kind: picture.Grants, Refused: binding.Refused != "", Possible: b.possible[role]})
	}
}

// holders returns the nodes of a binding's subject.
func (b *builder) holders(binding rbac.Binding) []string {
	var ids []string
	for _, owner := range b.owned[subjectKey(binding.Subject)] {
		if owner.bindings[binding.Object] {
			ids = append(ids, owner.id)
		}
	}
	if ids == nil {
		ids = []string{b.subject(binding.Subject)}
	}
	return ids
}
