package lint

import (
	"bytes"
	"slices"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/olm"
)

// related finds, among documents that were not parsed, those that are connected by names to what was: the bindings of an
// account, the roles of these bindings, and so on. A repository may hold thousands of accounts and bindings of which a
// handful concern an extension, and parsing all of them costs more than everything else together.
//
// It may take too many documents and never too few: a name is looked for wherever a key `name` shows one, and a document
// in which a name cannot be told without parsing is taken.
type related struct {
	waiting map[string][]*manifest.Document // by a name that the document shows
	taken   map[*manifest.Document]bool
	roles   []*manifest.Document // ClusterRoles: an aggregation selects them by labels
	always  []*manifest.Document
}

// alwaysRelated are words of documents that concern everybody: groups that accounts and extensions are in, users that
// are accounts, and roles that are put together by labels.
var alwaysRelated = [][]byte{
	[]byte("system:serviceaccount"), []byte("system:authenticated"), []byte("olm:"), []byte("olm-clusterextension-"),
	[]byte("aggregat"),
}

func newRelated() *related {
	return &related{waiting: map[string][]*manifest.Document{}, taken: map[*manifest.Document]bool{}}
}

// add puts a document on the list.
func (r *related) add(doc *manifest.Document) {
	data := doc.Bytes()
	names, certain := visibleNames(data)
	if !certain || isDefaultAccount(doc, names) || slices.ContainsFunc(alwaysRelated, func(word []byte) bool { return bytes.Contains(data, word) }) {
		r.always = append(r.always, doc)
		return
	}
	for _, name := range names {
		r.waiting[name] = append(r.waiting[name], doc)
	}
	if doc.Kind() == "ClusterRole" {
		r.roles = append(r.roles, doc)
	}
}

// to lists the documents that are connected to the given ones or to a name, however far, in no order.
func (r *related) to(seeds []*manifest.Document, name string) []*manifest.Document {
	var found []*manifest.Document
	take := func(docs []*manifest.Document) {
		for _, doc := range docs {
			if !r.taken[doc] {
				r.taken[doc] = true
				found = append(found, doc)
			}
		}
	}
	take(r.always)
	take(r.waiting[name])
	take(r.throughAggregation(seeds))
	take(r.toRoles(seeds))
	next := append(slices.Clone(seeds), found...)
	for len(next) > 0 {
		known := len(found)
		for _, doc := range next {
			for _, name := range namesIn(doc) {
				if isCommon(name) {
					take(slices.DeleteFunc(slices.Clone(r.waiting[name]), isNoRole))
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

// aggregatedInto are the labels that add a role to those that every cluster has, and the roles that get it: `admin` has all
// of `edit`, and that all of `view`.
var aggregatedInto = []struct {
	label []byte
	roles []string
}{
	{[]byte("aggregate-to-view"), []string{"view", "edit", "admin"}},
	{[]byte("aggregate-to-edit"), []string{"edit", "admin"}},
	{[]byte("aggregate-to-admin"), []string{"admin"}},
}

// throughAggregation lists the documents that name a role to which one of the seeds adds. No name leads there.
func (r *related) throughAggregation(seeds []*manifest.Document) (docs []*manifest.Document) {
	for _, into := range aggregatedInto {
		if slices.ContainsFunc(seeds, func(doc *manifest.Document) bool { return bytes.Contains(doc.Bytes(), into.label) }) {
			for _, role := range into.roles {
				docs = append(docs, r.waiting[role]...)
			}
		}
	}
	return docs
}

// namesIn lists the names in a document, and more: where its bytes do not show them for certain, every text in it. An
// extension that names no account may have had the one that fixes name after it.
func namesIn(doc *manifest.Document) []string {
	names, certain := visibleNames(doc.Bytes())
	if !certain && doc.Parse() == nil {
		names = nil
		collectTexts(doc.Root, &names)
	}
	if doc.Kind() == olm.ClusterExtensionKind {
		for _, name := range slices.Clone(names) {
			names = append(names, olm.InstallerName(name))
		}
	}
	return names
}

// maxName is the length of the longest name that Kubernetes takes.
const maxName = 253

func collectTexts(n *manifest.Node, texts *[]string) {
	if text := n.String(); text != "" && len(text) <= maxName {
		*texts = append(*texts, text)
	}
	for _, field := range n.Fields {
		collectTexts(field.Value, texts)
	}
	for _, item := range n.Items {
		collectTexts(item, texts)
	}
}

// isCommon tells whether a name is that of a role or account that every cluster has. Two bindings do not concern each
// other because both grant `view`; a role that takes the name concerns both.
func isCommon(name string) bool {
	switch name {
	case "cluster-admin", "admin", "edit", "view", "default":
		return true
	}
	return false
}

// toRoles lists the documents that name one of the roles among the seeds, also where many have its name: it is asked who holds
// them.
func (r *related) toRoles(seeds []*manifest.Document) (docs []*manifest.Document) {
	for _, doc := range seeds {
		if isNoRole(doc) {
			continue
		}
		for _, name := range namesIn(doc) {
			docs = append(docs, r.waiting[name]...)
		}
	}
	return docs
}

// isDefaultAccount tells of the account that pods have which name none: no name leads there.
func isDefaultAccount(doc *manifest.Document, names []string) bool {
	return doc.Kind() == accountKind && slices.Contains(names, "default")
}

func isBinding(doc *manifest.Document) bool {
	return doc.Kind() == "RoleBinding" || doc.Kind() == "ClusterRoleBinding"
}

// rolesBeside are the ClusterRoles of a file about whose bindings rules may ask although nothing leads to them: those beside
// a document that is judged, and those that others are put into.
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

// visibleNames lists the values of all keys `name` (serviceAccountName too), as far as they stand there as plain or
// quoted words. It is not certain when one of them does not.
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

// maxValue is more than the longest name, its quotes and the space before it.
const maxValue = 2 << 10

// valueBehindKey gives the rest of the line behind the colon of a key that ends right here, with or without quotes.
func valueBehindKey(rest []byte) (value []byte, isKey bool) {
	rest = bytes.TrimLeft(rest, `"'`)
	rest = bytes.TrimLeft(rest, " \t")
	if len(rest) == 0 || rest[0] != ':' {
		return nil, false
	}
	rest = rest[1:]
	rest = rest[:min(len(rest), maxValue)] // no name is longer, and a line may be a whole file
	if end := bytes.IndexByte(rest, '\n'); end >= 0 {
		rest = rest[:end]
	}
	return rest, true
}

// plainWord reads a word, plain or in quotes.
func plainWord(value []byte) (string, bool) {
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
