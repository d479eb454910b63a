package reading

import (
	"bytes"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/olm"
)

// nameClosure finds the documents to which chains of names lead from parsed documents: the bindings of an account, the roles of
// these bindings, and so on. A repository can hold thousands of accounts and bindings of which a handful concern an extension,
// and parsing all of them takes longer than everything else together.
//
// It can return too many documents and never too few: it looks for names at every key `name`, and returns documents whose bytes
// do not show their names.
type nameClosure struct {
	waiting map[string][]*manifest.Document // by a name in the document
	reached map[*manifest.Document]bool
	roles   []*manifest.Document // ClusterRoles, which an aggregation selects by labels
	always  []*manifest.Document // documents that are always returned
}

// alwaysConnected are words of documents that are always returned: groups of accounts and extensions, users that are accounts,
// and aggregated roles.
var alwaysConnected = [][]byte{
	[]byte("system:serviceaccount"), []byte("system:authenticated"), []byte("olm:"), []byte(olm.BindingPrefix),
	[]byte("aggregat"),
}

func newNameClosure() *nameClosure {
	return &nameClosure{waiting: map[string][]*manifest.Document{}, reached: map[*manifest.Document]bool{}}
}

// namedDocument is a document to which names may lead, with what its bytes show.
type namedDocument struct {
	*manifest.Document
	names  []string
	always bool // whether no name may lead to it, but other things
}

// readNames reads the names in a document.
func readNames(doc *manifest.Document) namedDocument {
	data := doc.Bytes()
	names, certain := visibleNames(data)
	always := !certain || isDefaultAccount(doc, names) ||
		slices.ContainsFunc(alwaysConnected, func(word []byte) bool { return bytes.Contains(data, word) })
	return namedDocument{doc, names, always}
}

// add adds a document to which names may lead.
func (r *nameClosure) add(doc namedDocument) {
	if doc.always {
		r.always = append(r.always, doc.Document)
		return
	}
	for _, name := range doc.names {
		r.waiting[name] = append(r.waiting[name], doc.Document)
	}
	if doc.Kind() == "ClusterRole" {
		r.roles = append(r.roles, doc.Document)
	}
}

// reach returns the documents to which chains of names lead from the starting documents or from a name, in no order. It returns
// each document once, also over several calls.
func (r *nameClosure) reach(starts []*manifest.Document, name string) []*manifest.Document {
	var found []*manifest.Document
	take := func(docs []*manifest.Document) {
		for _, doc := range docs {
			if !r.reached[doc] {
				r.reached[doc] = true
				found = append(found, doc)
			}
		}
	}
	take(r.always)
	take(r.waiting[name])
	take(r.throughAggregation(starts))
	take(r.toRoles(starts))
	next, common := append(slices.Clone(starts), found...), map[string]bool{}
	for len(next) > 0 {
		known := len(found)
		for _, doc := range next {
			for _, name := range namesIn(doc) {
				if isCommon(name) {
					if !common[name] { // thousands of documents name `view`
						common[name] = true
						take(slices.DeleteFunc(slices.Clone(r.waiting[name]), isNoRole))
					}
					continue
				}
				take(r.waiting[name])
				delete(r.waiting, name)
			}
			if bytes.Contains(doc.Bytes(), []byte("aggregationRule")) {
				take(r.roles)
			}
		}
		next = found[known:]
	}
	return found
}

// aggregatedInto are the labels that aggregate a role into the default roles of a cluster, and the roles that receive it: `admin`
// includes `edit`, which includes `view`.
var aggregatedInto = []struct {
	label []byte
	roles []string
}{
	{[]byte("aggregate-to-view"), []string{"view", "edit", "admin"}},
	{[]byte("aggregate-to-edit"), []string{"edit", "admin"}},
	{[]byte("aggregate-to-admin"), []string{"admin"}},
}

// throughAggregation returns the documents that name a default role into which a starting document is aggregated. No name leads
// to them.
func (r *nameClosure) throughAggregation(starts []*manifest.Document) (docs []*manifest.Document) {
	for _, into := range aggregatedInto {
		if slices.ContainsFunc(starts, func(doc *manifest.Document) bool { return bytes.Contains(doc.Bytes(), into.label) }) {
			for _, role := range into.roles {
				docs = append(docs, r.waiting[role]...)
			}
		}
	}
	return docs
}

// namesIn returns the names in a document. If its bytes do not show all names, it returns every scalar. For an extension it also
// returns the name of the account that fixes create for it: the field may have been removed.
func namesIn(doc *manifest.Document) []string {
	names, certain := visibleNames(doc.Bytes())
	if !certain && doc.Parse() == nil {
		names = nil
		collectTexts(doc.Root, &names)
	}
	if doc.Kind() == "AppProject" {
		names = append(names, destinationAccounts(doc)...)
	}
	if doc.Kind() == olm.ClusterExtensionKind {
		for _, name := range slices.Clone(names) {
			names = append(names, olm.InstallerName(name))
		}
	}
	return names
}

// destinationAccounts returns the names of the accounts that an AppProject sets for destinations, which no key `name` has.
func destinationAccounts(doc *manifest.Document) []string {
	if doc.Parse() != nil {
		return nil
	}
	var names []string
	list := doc.Root.Lookup(manifest.Path{"spec", "destinationServiceAccounts"})
	if list == nil {
		return nil
	}
	for _, item := range list.Items() {
		name := item.Get("defaultServiceAccount").String()
		names = append(names, name[strings.LastIndex(name, ":")+1:])
	}
	return names
}

// maxName is the length of the longest name that Kubernetes accepts.
const maxName = 253

func collectTexts(n *manifest.Node, texts *[]string) {
	if text := n.String(); text != "" && len(text) <= maxName {
		*texts = append(*texts, text)
	}
	for _, field := range n.Fields() {
		collectTexts(field.Value, texts)
	}
	for _, item := range n.Items() {
		collectTexts(item, texts)
	}
}

// isCommon reports whether every cluster has a role or an account with this name. Two bindings are not connected because both
// grant `view`; a role with that name in the repository is connected with both.
func isCommon(name string) bool {
	switch name {
	case "cluster-admin", "admin", "edit", "view", "default":
		return true
	}
	return false
}

// toRoles returns the documents that name a role among the starting documents, also a common one: rules ask who holds the role.
func (r *nameClosure) toRoles(starts []*manifest.Document) (docs []*manifest.Document) {
	for _, doc := range starts {
		if isNoRole(doc) {
			continue
		}
		for _, name := range namesIn(doc) {
			docs = append(docs, r.waiting[name]...)
		}
	}
	return docs
}

// isDefaultAccount reports whether a document is the account of pods that name none. No name leads to it.
func isDefaultAccount(doc *manifest.Document, names []string) bool {
	return doc.Kind() == accountKind && slices.Contains(names, "default")
}

func isBinding(doc *manifest.Document) bool {
	return doc.Kind() == "RoleBinding" || doc.Kind() == "ClusterRoleBinding"
}

// rolesBeside returns the ClusterRoles of a file whose bindings rules may ask for although no name leads to them: the roles in a
// file with a judged document, and aggregated roles.
func rolesBeside(f *manifest.File, judges bool) (roles []*manifest.Document) {
	for _, doc := range f.Docs {
		if doc.Kind() == "ClusterRole" && (judges || bytes.Contains(doc.Bytes(), []byte("aggregationRule"))) {
			roles = append(roles, doc)
		}
	}
	return roles
}

func isNoRole(doc *manifest.Document) bool {
	return doc.Kind() != "Role" && doc.Kind() != "ClusterRole"
}

// visibleNames returns the values of all keys that end in `name`, such as serviceAccountName, that are plain or quoted words.
// certain is false if one of the values is not.
func visibleNames(data []byte) (names []string, certain bool) {
	certain = true
	for rest := data; ; {
		at := bytes.Index(rest, []byte("ame"))
		if at < 0 {
			return names, certain
		}
		rest = rest[at+len("ame"):]
		if at == 0 || data[len(data)-len(rest)-len("ame")-1]|0x20 != 'n' {
			continue
		}
		value, isKey := valueBehindKey(rest)
		if !isKey {
			continue
		}
		if name, ok := plainWord(value); ok {
			names = append(names, name)
		} else {
			certain = false
		}
	}
}

// maxValue is more than the length of the longest name with its quotes and the space before it.
const maxValue = 2 << 10

// valueBehindKey returns the rest of the line after the colon of a key that ends here, with or without quotes.
func valueBehindKey(rest []byte) (value []byte, isKey bool) {
	rest = bytes.TrimLeft(rest, `"'`)
	rest = bytes.TrimLeft(rest, " \t")
	if len(rest) == 0 || rest[0] != ':' {
		return nil, false
	}
	rest = rest[1:]
	rest = rest[:min(len(rest), maxValue)] // no name is longer, and a line can be a whole file
	if end := bytes.IndexByte(rest, '\n'); end >= 0 {
		rest = rest[:end]
	}
	return rest, true
}

// plainWord returns a plain or quoted word. ok is false if the value is written in another way.
func plainWord(value []byte) (word string, ok bool) {
	value = bytes.TrimLeft(value, " \t")
	if len(value) == 0 || bytes.IndexByte([]byte("&*!|>[{#\\"), value[0]) >= 0 {
		return "", false
	}
	if quote := value[0]; quote == '"' || quote == '\'' {
		end := bytes.IndexByte(value[1:], quote)
		if end < 0 || bytes.IndexByte(value[1:1+end], '\\') >= 0 {
			return "", false
		}
		return string(value[1 : 1+end]), true
	}
	if end := bytes.IndexAny(value, " \t\r,}]"); end >= 0 {
		value = value[:end]
	}
	return string(value), bytes.IndexByte(value, '{') < 0
}
