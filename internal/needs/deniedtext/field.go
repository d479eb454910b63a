package deniedtext

import (
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// FieldProblem is what a message about spec.serviceAccount of a ClusterExtension says.
type FieldProblem string

// The problems. Only FieldIgnored is no refusal, unless an admission policy denies with it.
const (
	// FieldIgnored: the controller ignores the account, or will.
	FieldIgnored FieldProblem = "ignored"
	// FieldRequired: the API server rejects an extension without the field, or without its name.
	FieldRequired FieldProblem = "required"
	// FieldUnknown: the API has no such field.
	FieldUnknown FieldProblem = "unknown"
	// FieldImmutable: the account of a live extension cannot be changed.
	FieldImmutable FieldProblem = "immutable"
	// FieldEmpty: the field is there, and contains no account.
	FieldEmpty FieldProblem = "empty"
)

// FieldMessage is a message about spec.serviceAccount of a ClusterExtension, or about its namespace that is immutable. It is about no permission.
type FieldMessage struct {
	Problem FieldProblem
	// Extension is "" if the text does not contain it.
	Extension string
	// Field is the field as the text names it, as in spec.serviceAccount.name.
	Field string
	// Manager owns the field in a conflict of server-side apply; otherwise "".
	Manager string
	// Warning is set if the request was accepted.
	Warning bool
	// MayBeCleared is set if the API server says that the account can be removed, and only not changed.
	MayBeCleared bool
	// Proposed is set for the sentence of the proposal for OpenShift.
	Proposed bool
}

// Parts of patterns: a name in quotes, and the field, below spec.install in v0.15 to v0.17.
const (
	quotedName  = `\\*['"]([^'"\\\n]+)\\*['"]`
	accountPath = `(spec(?:\.install)?\.serviceAccount(?:\.name)?)`
)

var (
	// proposedDeprecation is the line that the proposal for OpenShift requires in the log.
	proposedDeprecation = lazyregexp.New(`\[DEPRECATION\][^\n]*?serviceAccount[^\n]*?ClusterExtension\s+` + quotedName + `[^\n]*?\bignored\b[^."\n]*\.?`)
	// shippedDeprecation is the line of operator-controller v1.11.0 (internal/operator-controller/controllers/
	// clusterextension_reconcile_steps.go), and the warning of its policy (helm/olmv1/templates/
	// validatingadmissionpolicy-clusterextension-serviceaccount-deprecated.yml), with what precedes it.
	shippedDeprecation = lazyregexp.New(`(?:[^\s"'\\]+\s+` + quotedName + `\s+is\s+forbidden:\s+|Validation\s+failed\s+for\s+)?` +
		`(?:ValidatingAdmissionPolicy\s+\\*['"][^'"\\\n]+\\*['"]\s+with\s+binding\s+\\*['"][^'"\\\n]+\\*['"](\s+denied\s+request)?:\s+)?` +
		`spec\.serviceAccount\s+is\s+deprecated,\s+ignored,\s+and\s+will\s+be\s+removed\s+in\s+a\s+future\s+release[^"\n]*`)
	// logged is how a log names the extension that a line is about.
	logged = lazyregexp.New(`\bClusterExtension\\*"?[:=]\s*(?:\{\\*"name\\*":\s*)?\\*"([^"\\\n]+)\\*"`)

	// invalid begins a refusal of an extension, which a list of fields follows.
	invalid = lazyregexp.New(`ClusterExtension(?:\.olm\.operatorframework\.io)?\s+` + quotedName + `\s+is\s+invalid:`)
	// invalidField is an entry of the list. The texts after the value are those of the API server and of the CRD.
	invalidField = lazyregexp.New(accountPath + `:\s+(?:(Required\s+value)|Invalid\s+value:\s+[^\n]*?(?:name\s+(is\s+immutable(?:\s+once\s+set\s+but\s+may\s+be\s+cleared)?)|` +
		`(should\s+have\s+at\s+least\s+1\s+propert|should\s+be\s+at\s+least\s+1\s+char|in\s+body\s+must\s+be\s+of\s+type|name\s+must\s+be\s+a\s+valid)))`)
	// changedNamespace is an entry about another namespace of a live extension.
	changedNamespace = lazyregexp.New(`(spec(?:\.install)?\.namespace):\s+Invalid\s+value:\s+[^\n]*?namespace\s+is\s+immutable`)

	// unknownField matches how the API server and clients say that the extension has a field which its API does not have.
	unknownField = lazyregexp.New(`(?:cannot\s+be\s+handled\s+as\s+a\s+ClusterExtension:\s+strict\s+decoding\s+error:[^\n]*?unknown\s+field\s+\\*"` + accountPath + `\\*"` +
		`|(?:/([a-z0-9.-]+);\s+)?olm\.operatorframework\.io/\w+,\s+Kind=ClusterExtension\)[^\n]*?\.` + accountPath + `:\s+field\s+not\s+declared\s+in\s+schema` +
		`|ValidationError\(ClusterExtension\.(spec(?:\.install)?)\):\s+unknown\s+field\s+\\*"(serviceAccount)\\*"` +
		`|(Warning:\s+unknown\s+field\s+)\\*"` + accountPath + `\\*")`)
	// anyExtension is the kind, or the resource of a line such as "clusterextension.olm.operatorframework.io/NAME configured".
	anyExtension = lazyregexp.New(`(?i)\bclusterextensions?\b`)
	// missingField matches how clients that validate say that the field is missing.
	missingField = lazyregexp.New(`ValidationError\(ClusterExtension\.(spec(?:\.install)?)\):\s+missing\s+required\s+field\s+\\*"(serviceAccount)\\*"`)
)

// maxFields limits the list of fields of a refusal.
const maxFields = 4096

// fieldMessages reads what a text says about the field. about is the extension of a log line whose fields are read separately.
func (r *reading) fieldMessages(about string) {
	if !strings.Contains(r.text, "serviceAccount") && !strings.Contains(r.text, "immutable") {
		return
	}
	for _, m := range r.groups(proposedDeprecation().FindAllStringSubmatchIndex(r.text, -1)) {
		if !anchor().MatchString(m.group(0)) {
			r.addField(m, FieldMessage{Problem: FieldIgnored, Extension: m.group(1), Field: "spec.serviceAccount", Warning: true, Proposed: true})
		}
	}
	for _, m := range r.groups(shippedDeprecation().FindAllStringSubmatchIndex(r.text, -1)) {
		name := cmp.Or(m.group(1), about, r.loggedIn(m.span))
		r.addField(m, FieldMessage{Problem: FieldIgnored, Extension: name, Field: "spec.serviceAccount", Warning: m.group(2) == ""})
	}
	r.invalidFields()
	r.conflictMessages(about)
	for _, m := range r.groups(unknownField().FindAllStringSubmatchIndex(r.text, -1)) {
		field := cmp.Or(m.group(1), m.group(3), m.group(7))
		if field == "" {
			field = m.group(4) + "." + m.group(5)
		}
		warning := m.group(6) != "" // it does not name the kind
		if !warning || anyExtension().MatchString(r.text) {
			r.addField(m, FieldMessage{Problem: FieldUnknown, Extension: m.group(2), Field: field, Warning: warning})
		}
	}
	for _, m := range r.groups(missingField().FindAllStringSubmatchIndex(r.text, -1)) {
		r.addField(m, FieldMessage{Problem: FieldRequired, Field: m.group(1) + "." + m.group(2)})
	}
}

// invalidFields reads refusals that list fields. The list ends where the next refusal begins.
func (r *reading) invalidFields() {
	found := r.groups(invalid().FindAllStringSubmatchIndex(r.text, -1))
	for i, m := range found {
		end := min(len(r.text), m.end+maxFields)
		if i+1 < len(found) {
			end = min(end, found[i+1].start)
		}
		for _, match := range changedNamespace().FindAllStringSubmatchIndex(r.text[m.end:end], -1) {
			entry := groups{text: r.text[m.end:end], index: match, span: span{m.end + match[0], m.end + match[1]}}
			r.addField(entry, FieldMessage{Problem: FieldImmutable, Extension: m.group(1), Field: entry.group(1)})
		}
		for _, match := range invalidField().FindAllStringSubmatchIndex(r.text[m.end:end], -1) {
			entry := groups{text: r.text[m.end:end], index: match, span: span{m.end + match[0], m.end + match[1]}}
			message := FieldMessage{Problem: FieldEmpty, Extension: m.group(1), Field: entry.group(1)}
			switch {
			case entry.group(2) != "" && strings.HasSuffix(message.Field, ".name"):
			case entry.group(2) != "":
				message.Problem = FieldRequired
			case entry.group(3) != "":
				message.Problem, message.MayBeCleared = FieldImmutable, strings.HasSuffix(entry.group(3), "cleared")
			}
			r.addField(entry, message)
		}
	}
}

// groups are a match of a pattern in a text.
type groups struct {
	span
	text  string
	index []int
}

// group returns what a group matched, "" if it matched nothing; group 0 is the whole match.
func (g groups) group(n int) string {
	if g.index[2*n] < 0 {
		return ""
	}
	return g.text[g.index[2*n]:g.index[2*n+1]]
}

func (r *reading) groups(matches [][]int) []groups {
	var all []groups
	for _, m := range matches {
		all = append(all, groups{span{m[0], m[1]}, r.text, m})
	}
	return all
}

// loggedIn returns the extension that the line of a message names.
func (r *reading) loggedIn(s span) string {
	before, after := r.text[max(0, s.start-maxObject):s.start], r.text[s.end:min(len(r.text), s.end+maxObject)]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	after, _, _ = strings.Cut(after, "\n")
	if m := logged().FindStringSubmatch(before + " " + after); m != nil {
		return m[1]
	}
	return ""
}

func (r *reading) addField(g groups, m FieldMessage) {
	if !printable(m.Extension) {
		return
	}
	m.Field = strings.TrimSpace(m.Field)
	if len(r.fields) < maxUnread && !slices.Contains(r.fields, m) {
		r.fields = append(r.fields, m)
	}
	r.spans = append(r.spans, g.span)
}

// sortedFields sorts messages by extension. A message without an extension is left out if the same one names it.
func sortedFields(all []FieldMessage) []FieldMessage {
	kept := slices.DeleteFunc(slices.Clone(all), func(m FieldMessage) bool {
		return m.Extension == "" && slices.ContainsFunc(all, func(o FieldMessage) bool { return o.Extension != "" && o.Problem == m.Problem })
	})
	slices.SortFunc(kept, func(a, b FieldMessage) int {
		return cmp.Or(cmp.Compare(a.Extension, b.Extension), cmp.Compare(a.Problem, b.Problem), cmp.Compare(a.Field, b.Field))
	})
	return kept
}
