package redact

import (
	"bytes"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/accounttoken"
	"github.com/salint/salint/internal/files/manifest"
)

// structure are the characters between the keys and values of a mapping. They reveal nothing, and a frame without them
// would be unreadable.
const structure = " \t\r\n,:{}[]-"

// shownFields are the fields of a Secret whose values can be shown. All others are hidden, because a misspelled stringData
// also holds a secret.
var shownFields = map[string]bool{"apiVersion": true, "kind": true, "type": true, "immutable": true, "metadata": true}

// shownKeys are fields whose names can be shown, but not their values.
var shownKeys = map[string]bool{"data": true, "stringData": true}

// referenceFields are the fields of a reference to a Secret, as Flux and others have them. They name the Secret and contain
// none of its data.
var referenceFields = map[string]bool{
	"apiVersion": true, "apiGroup": true, "group": true, "kind": true, "name": true, "namespace": true,
	"optional": true, "valuesKey": true, "targetPath": true,
}

// isReference returns whether a mapping with the kind Secret is only a reference: it has a name, no metadata, and nothing
// that could be data.
func isReference(n *manifest.Node) bool {
	for _, field := range n.Fields() {
		if !referenceFields[field.Key.String()] || field.Value.Fields() != nil || field.Value.Items() != nil {
			return false
		}
	}
	return n.Get("name").String() != ""
}

// walker collects the hidden parts of a document, in the order of the file.
type walker struct {
	data   []byte
	hidden []manifest.Span
	// unsure is set if part of a Secret is in another place, behind an alias.
	unsure bool
	// filledIn is set in a Secret whose only data is a token that a controller fills in: comments that can hold no token are shown.
	filledIn bool
}

// mayHoldValue finds what makes a comment more than prose: a field, an assignment, or a word as long as a part of a token.
var mayHoldValue = lazyregexp.New(`[:=]|[^\s]{20}`)

// isFilledIn returns whether a Secret is for the token of an account, and has no other data.
func isFilledIn(n *manifest.Node) bool {
	return n.Get("type").String() == "kubernetes.io/service-account-token" && !slices.ContainsFunc(n.Fields(), func(f manifest.Field) bool { return !shownFields[f.Key.String()] })
}

// isSecretKind returns whether an object has the kind of a Secret, also if it is misspelt.
func isSecretKind(n *manifest.Node) bool {
	kind := strings.TrimSpace(n.Get("kind").String())
	return strings.EqualFold(kind, "Secret") || strings.EqualFold(kind, "SecretList") || strings.EqualFold(kind, "SecretGenerator")
}

// isPatchOfData returns whether a mapping is an operation of a JSON patch on the data of an object. Only the entry that names the
// patch has the kind of the object.
func isPatchOfData(n *manifest.Node) bool {
	if n.Get("op") == nil {
		return false
	}
	for _, field := range []string{"path", "from"} {
		first, _, _ := strings.Cut(strings.TrimPrefix(n.Get(field).String(), "/"), "/")
		if first == "data" || first == "stringData" {
			return true
		}
	}
	return false
}

// isPatchOfSecret returns whether a mapping is an entry of a kustomization, or of what builds one, that patches Secrets.
func isPatchOfSecret(n *manifest.Node) bool {
	return n.Get("patch") != nil && strings.Contains(n.Get("target").Get("kind").String(), "Secret")
}

// fields hides the values of some fields, with the comments behind them.
func (w *walker) fields(n *manifest.Node, limit int, hide func(key string) bool) {
	w.unsure = w.unsure || hasAlias(n)
	for i, field := range n.Fields() {
		end := limit
		if i+1 < len(n.Fields()) {
			end = n.Fields()[i+1].Key.Span().Start
		}
		if hide(field.Key.String()) {
			w.hide(field.Value.Span())
			w.gap(field.Value.Span().End, end)
		}
	}
}

// walk looks for Secrets below a node. The content of the node, including comments after it, ends at the limit.
func (w *walker) walk(n *manifest.Node, limit int) {
	switch {
	case n.Fields() == nil && n.Items() == nil:
		if isEmbedded(n) || accounttoken.MayHold([]byte(n.Value())) && len(accounttoken.Find(n.Value())) > 0 {
			w.hide(n.Span())
		}
	case isSecretKind(n) && !isReference(n):
		w.unsure = w.unsure || hasAlias(n)
		w.secret(n, limit)
	case isPatchOfData(n):
		w.fields(n, limit, func(key string) bool { return key != "op" })
	case isPatchOfSecret(n):
		w.fields(n, limit, func(key string) bool { return key == "patch" })
	default:
		w.children(n, limit)
	}
}

func (w *walker) children(n *manifest.Node, limit int) {
	for i, field := range n.Fields() {
		end := limit
		if i+1 < len(n.Fields()) {
			end = n.Fields()[i+1].Key.Span().Start
		}
		if field.Key.String() == generatorField {
			w.hide(manifest.Span{Start: field.Value.Span().Start, End: end})
			continue
		}
		w.walk(field.Value, end)
	}
	for i, item := range n.Items() {
		end := limit
		if i+1 < len(n.Items()) {
			end = n.Items()[i+1].Span().Start
		}
		w.walk(item, end)
	}
}

// secret hides everything in a Secret except what is known to be harmless.
func (w *walker) secret(n *manifest.Node, limit int) {
	before := w.filledIn
	w.filledIn = isFilledIn(n)
	defer func() { w.filledIn = before }()
	shown := n.Span().Start
	for _, field := range n.Fields() {
		name := field.Key.String()
		w.gap(shown, field.Key.Span().Start)
		if !shownFields[name] && !shownKeys[name] {
			w.hide(field.Key.Span())
		}
		w.gap(field.Key.Span().End, field.Value.Span().Start)
		switch {
		case !shownFields[name]:
			w.hide(field.Value.Span())
		case name == "metadata":
			w.metadata(field.Value)
		}
		shown = field.Value.Span().End
	}
	w.gap(shown, limit)
}

// shownAnnotations are the beginnings of the names of annotations of a Secret whose values can be shown: they control what tools do with
// it.
var shownAnnotations = []string{"kubernetes.io/service-account.", "argocd.argoproj.io/", "kustomize.toolkit.fluxcd.io/", "helm.sh/", "meta.helm.sh/"}

// metadata hides the annotations, which can repeat the data, and all comments.
func (w *walker) metadata(n *manifest.Node) {
	shown := n.Span().Start
	for _, field := range n.Fields() {
		w.gap(shown, field.Key.Span().Start)
		w.gap(field.Key.Span().End, field.Value.Span().Start)
		switch {
		case field.Key.String() == "annotations":
			w.annotations(field.Value)
		case isEmbedded(field.Value):
			w.hide(field.Value.Span())
		case field.Value.IsMapping():
			w.metadata(field.Value)
		}
		shown = field.Value.Span().End
	}
}

func (w *walker) annotations(n *manifest.Node) {
	shown := n.Span().Start
	for _, field := range n.Fields() {
		w.gap(shown, field.Key.Span().Start)
		w.gap(field.Key.Span().End, field.Value.Span().Start)
		if !hasPrefix(field.Key.String(), shownAnnotations) {
			w.hide(field.Value.Span())
		}
		shown = field.Value.Span().End
	}
}

func hasPrefix(text string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(text, prefix) })
}

// isEmbedded returns whether a text contains a Secret, as a manifest in a ConfigMap does.
func isEmbedded(n *manifest.Node) bool {
	return strings.Contains(n.Value(), "Secret") && dataField().MatchString(n.Value())
}

// gap hides the comments between two places of a Secret.
func (w *walker) gap(start, end int) {
	if start >= end {
		return
	}
	text := w.data[start:end]
	start += len(text) - len(bytes.TrimLeft(text, structure))
	end -= len(text) - len(bytes.TrimRight(text, structure))
	if w.filledIn && start < end && !mayHoldValue().Match(w.data[start:end]) {
		return
	}
	w.hide(manifest.Span{Start: start, End: end})
}

func (w *walker) hide(span manifest.Span) {
	if span.Start < span.End {
		w.hidden = append(w.hidden, span)
	}
}
