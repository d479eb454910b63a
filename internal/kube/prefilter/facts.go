package prefilter

import (
	"bytes"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// Facts are what a document says of itself and of others.
type Facts struct {
	APIVersion, Kind, Namespace, Name string
	// RoleKind and RoleName are the role of a binding.
	RoleKind, RoleName, RoleGroup string
	Subjects                      []Subject
	// Accounts are what fields called serviceAccountName say, wherever they stand.
	Accounts []string
	// Release is what a release of a chart says besides.
	Release Release

	odd bool // something that counts is not written as expected
}

// Release is a release of a chart by Flux: the namespace it goes to, the chart, and what that is taken from.
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

// accountField is the field of a pod with its account, and accountWord what it shares with its deprecated alias.
var accountField, accountWord = []byte("serviceAccountName"), []byte("serviceAccount")

// Read reads the facts of a document. It is false for one that is not written plainly, or in which a fact is anything but a
// simple word: then nobody knows before it is parsed.
func Read(doc *manifest.Document) (*Facts, bool) {
	f := &Facts{}
	if !doc.Outline(f.read) || f.odd || f.Kind == "" || f.Kind != doc.Kind() || f.APIVersion == "" {
		return nil, false
	}
	return f, true
}

func (f *Facts) read(path []string, value manifest.Scalar) {
	if path[len(path)-1] == string(accountField) {
		f.Accounts = append(f.Accounts, f.word(value))
		return
	}
	switch path[0] {
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

func (f *Facts) top(path []string, into *string, value manifest.Scalar) {
	if len(path) > 1 {
		f.odd = true
		return
	}
	*into = f.word(value)
}

// field takes the value of a field of that name; one that is no scalar is odd.
func (f *Facts) field(path []string, name string, into *string, value manifest.Scalar) {
	switch {
	case len(path) == 0:
		f.odd = true
	case path[0] == name:
		f.top(path, into, value)
	}
}

// subject takes a field of subjects[i]: they are a list of mappings.
func (f *Facts) subject(path []string, value manifest.Scalar) {
	if len(path) != 3 || path[1][0] < '0' || path[1][0] > '9' {
		f.odd = true
		return
	}
	index := 0
	for _, c := range path[1] {
		index = index*10 + int(c-'0')
	}
	for len(f.Subjects) <= index {
		f.Subjects = append(f.Subjects, Subject{})
	}
	switch s := &f.Subjects[index]; path[2] {
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

// release takes what decides about a release of a chart.
func (f *Facts) release(path []string, value manifest.Scalar) {
	switch path[0] {
	case "targetNamespace":
		f.top(path, &f.Release.Target, value)
	case "chart":
		if len(path) < 3 || path[1] != "spec" {
			return
		}
		f.field(path[2:], "chart", &f.Release.Chart, value)
		if path[2] == "sourceRef" {
			f.field(path[3:], "kind", &f.Release.SourceKind, value)
			f.field(path[3:], "namespace", &f.Release.SourceNamespace, value)
			f.field(path[3:], "name", &f.Release.SourceName, value)
		}
	}
}

// word returns a text that is a string for certain, and stands for itself: nothing is filled in later.
func (f *Facts) word(value manifest.Scalar) string {
	text := string(value.Text)
	f.odd = f.odd || value.Opaque || !isWord(text) || !value.Quoted && !isString(text)
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

// isString tells of a plain word that it cannot be taken for a number, a date, null or a boolean of any version of YAML.
func isString(text string) bool {
	switch strings.ToLower(text) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return false
	}
	return isLetter(text[0])
}

// namesAccounts reports whether all that a document calls an account is among its facts. Other fields begin with the same
// word, and so does the deprecated alias.
func (f *Facts) namesAccounts(doc *manifest.Document) bool {
	data := doc.Bytes()
	fields := bytes.Count(data, accountField)
	return fields == len(f.Accounts) && fields == bytes.Count(data, accountWord)
}
