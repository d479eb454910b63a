package prefilter

import (
	"bytes"
	"strings"
	"unique"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/outline"
)

// Facts are the contents of a document that conditions depend on.
type Facts struct {
	APIVersion, Kind, Namespace, Name string
	// RoleKind and RoleName are the role of a binding.
	RoleKind, RoleName, RoleGroup string
	Subjects                      []Subject
	// Accounts are the values of all fields named serviceAccountName.
	Accounts []string
	// Release are the further fields of a chart release; nil for an object that has none of them.
	Release *Release

	// SelfContained is true for a release of Flux with a chart from a chart repository that depends on nothing else: its bytes name no
	// settings in other objects, no other releases, and no placeholders.
	SelfContained bool
	// DependsOn is true for a release that may depend on other releases.
	DependsOn bool

	uncertain bool // a relevant field is not written as expected
	// otherAccounts is true if the document may name accounts that are not in Accounts.
	otherAccounts bool
	// actsAs is true if the document may name the account as which it is applied.
	actsAs bool
}

// Release is a release of a chart by Flux: its target namespace, the chart, and the source of the chart.
type Release struct{ Target, Chart, SourceKind, SourceNamespace, SourceName string }

// Subject is a subject of a binding.
type Subject struct{ Kind, Namespace, Name, APIGroup string }

// Group is the API group.
func (f *Facts) Group() string {
	group, _, found := strings.Cut(f.APIVersion, "/")
	if !found {
		return ""
	}
	return group
}

// accountField is the field of a pod with its account, and accountWord its common part with the deprecated alias.
var accountField, accountWord = []byte("serviceAccountName"), []byte("serviceAccount")

// Read reads the facts of a document. ok is false if the document is not written plainly, or if a fact is not a simple
// word: then the document must be parsed.
func Read(doc *manifest.Document) (*Facts, bool) {
	f := &Facts{}
	if !outline.Read(doc.Bytes(), f.read) || f.uncertain || f.Kind == "" || f.Kind != doc.Kind() || f.APIVersion == "" {
		return nil, false
	}
	f.otherAccounts, f.actsAs = !f.namesAccounts(doc), bytes.Contains(doc.Bytes(), []byte("serviceAccountName"))
	f.readDependencies(doc)
	f.share()
	return f, true
}

// share replaces the values that thousands of documents have, all but names, by common ones.
func (f *Facts) share() {
	shared := func(value string) string { return unique.Make(value).Value() }
	f.APIVersion, f.Kind, f.Namespace = shared(f.APIVersion), shared(f.Kind), shared(f.Namespace)
	f.RoleKind, f.RoleGroup = shared(f.RoleKind), shared(f.RoleGroup)
	for n, s := range f.Subjects {
		f.Subjects[n] = Subject{shared(s.Kind), shared(s.Namespace), s.Name, shared(s.APIGroup)}
	}
}

func (f *Facts) read(path [][]byte, value outline.Scalar) {
	if bytes.Equal(path[len(path)-1], accountField) {
		f.Accounts = append(f.Accounts, f.word(value))
		return
	}
	switch string(path[0]) {
	case "apiVersion":
		f.top(path, &f.APIVersion, value)
	case "kind":
		f.top(path, &f.Kind, value)
	case "metadata":
		f.field(path[1:], "namespace", &f.Namespace, value)
		f.field(path[1:], "name", &f.Name, value)
	case "roleRef":
		f.field(path[1:], "kind", &f.RoleKind, value)
		f.field(path[1:], "name", &f.RoleName, value)
		f.field(path[1:], "apiGroup", &f.RoleGroup, value)
	case "subjects":
		f.subject(path, value)
	case "spec":
		if len(path) > 1 {
			f.release(path[1:], value)
		}
	}
}

func (f *Facts) top(path [][]byte, into *string, value outline.Scalar) {
	if len(path) > 1 {
		f.uncertain = true
		return
	}
	*into = f.word(value)
}

// field reads the field of that name; a value that is not a scalar is uncertain.
func (f *Facts) field(path [][]byte, name string, into *string, value outline.Scalar) {
	switch {
	case len(path) == 0:
		f.uncertain = true
	case string(path[0]) == name:
		f.top(path, into, value)
	}
}

// subject reads a field of subjects[i], a list of mappings.
func (f *Facts) subject(path [][]byte, value outline.Scalar) {
	if len(path) != 3 || path[1][0] < '0' || path[1][0] > '9' {
		f.uncertain = true
		return
	}
	index := 0
	for _, c := range path[1] {
		index = index*10 + int(c-'0')
	}
	for len(f.Subjects) <= index {
		f.Subjects = append(f.Subjects, Subject{})
	}
	switch s := &f.Subjects[index]; string(path[2]) {
	case "kind":
		s.Kind = f.word(value)
	case "namespace":
		s.Namespace = f.word(value)
	case "name":
		s.Name = f.word(value)
	case "apiGroup":
		s.APIGroup = f.word(value)
	}
}

// release reads the fields of a chart release.
func (f *Facts) release(path [][]byte, value outline.Scalar) {
	switch string(path[0]) {
	case "targetNamespace":
		f.top(path, &f.releaseFields().Target, value)
	case "chart":
		if len(path) < 3 || string(path[1]) != "spec" {
			return
		}
		release := f.releaseFields()
		f.field(path[2:], "chart", &release.Chart, value)
		if string(path[2]) == "sourceRef" {
			f.field(path[3:], "kind", &release.SourceKind, value)
			f.field(path[3:], "namespace", &release.SourceNamespace, value)
			f.field(path[3:], "name", &release.SourceName, value)
		}
	}
}

func (f *Facts) releaseFields() *Release {
	if f.Release == nil {
		f.Release = &Release{}
	}
	return f.Release
}

// word returns a text that is certainly a string, without placeholders.
func (f *Facts) word(value outline.Scalar) string {
	text := string(value.Text)
	f.uncertain = f.uncertain || value.Block || !isWord(text) || !value.Quoted && !isString(text)
	return text
}

func isWord(text string) bool {
	for _, c := range []byte(text) {
		if !isLetter(c) && (c < '0' || c > '9') && strings.IndexByte("-._:/", c) < 0 {
			return false
		}
	}
	return text != ""
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isString reports whether a plain word is a string in any version of YAML: not a number, a date, null, or a boolean.
func isString(text string) bool {
	switch strings.ToLower(text) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return false
	}
	return isLetter(text[0])
}

// namesAccounts reports whether the facts contain all accounts that a document names. Other fields begin with the same
// word, and so does the deprecated alias.
func (f *Facts) namesAccounts(doc *manifest.Document) bool {
	data := doc.Bytes()
	fields := bytes.Count(data, accountField)
	return fields == len(f.Accounts) && fields == bytes.Count(data, accountWord)
}
