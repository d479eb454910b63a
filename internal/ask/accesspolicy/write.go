package accesspolicy

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/salint/salint/internal/kube/generate"
	"github.com/salint/salint/internal/kube/rbac"
)

// Name is the name of the policy, its binding, and the role that grants access to the API.
const Name = "olm-extension-access"

var (
	//go:embed policy.yaml
	policyText string
	//go:embed access.yaml
	accessText string
)

// parsed returns the template of a file.
func parsed(name, text string) *template.Template {
	return template.Must(template.New(name).Funcs(template.FuncMap{"quote": quote, "indent": indent}).Parse(text))
}

// clausesPerVariable keeps expressions below the maximum length of the API server.
const clausesPerVariable = 100

// variable is one of the policy's variables.
type variable struct{ Name, Text string }

// page is the data of the templates.
type page struct {
	Name, Label, By, Group   string
	Resources, Limited, OLM  string
	NoSettings               string
	Extensions, Catalogs     []variable
	AnyExtension, AnyCatalog string
	Subjects                 []rbac.Subject
}

// ErrNoSubject is the error if there is no subject to limit.
var ErrNoSubject = errors.New("only administrators can write ClusterExtensions with the roles in the repository, so there is no subject to limit")

// ErrTooMany is the error if the subjects do not fit into a match condition, whose length the API server limits.
var ErrTooMany = errors.New("too many subjects for one policy: bind groups instead of their members, or pass the folder of one cluster")

// mostText is the maximum length of the condition that lists the subjects. The API server parses 100,000 characters.
const mostText = 95_000

// Manifest writes the policy and its binding as YAML, followed by the role that gives the subjects access to the API, and
// its binding: as objects if withAccess is true, otherwise as a comment. The error is ErrNoSubject or ErrTooMany.
func (s *Scope) Manifest(withAccess bool) ([]byte, error) {
	if len(s.Subjects) == 0 {
		return nil, ErrNoSubject
	}
	subjects := limited(s.Subjects)
	if len(subjects) > mostText {
		return nil, fmt.Errorf("%w: there are %d", ErrTooMany, len(s.Subjects))
	}
	extensions, catalogs := variables("allowedExtensions", clausesOf(s.Extensions)), variables("allowedCatalogs", clausesOf(s.Catalogs))
	olm := celList(olmUsers())
	p := page{
		Name: Name, Label: generate.ManagedByLabel, By: generate.ManagedBy, Group: Group,
		Resources: strings.Join(Resources, ", "), Limited: subjects,
		OLM:        strings.ReplaceAll(strings.Trim(olm, "[]"), ", ", ",\n"),
		NoSettings: noSettings,
		Extensions: extensions, Catalogs: catalogs, AnyExtension: anyVariable(extensions), AnyCatalog: anyVariable(catalogs),
		Subjects: s.Subjects,
	}
	var policy, access bytes.Buffer
	if err := errors.Join(parsed("policy", policyText).Execute(&policy, p), parsed("access", accessText).Execute(&access, p)); err != nil {
		return nil, err
	}
	if !withAccess {
		return append(policy.Bytes(), commented(access.String())...), nil
	}
	return append(policy.Bytes(), access.Bytes()...), nil
}

// variables distributes clauses over as many variables as necessary; without clauses it returns one that is false.
func variables(name string, clauses []string) (all []variable) {
	for chunk := range slices.Chunk(clauses, clausesPerVariable) {
		called := name
		if len(all) > 0 {
			called = fmt.Sprintf("%s%d", name, len(all)+1)
		}
		all = append(all, variable{called, anyOf(chunk)})
	}
	if len(all) == 0 {
		all = []variable{{name, anyOf(nil)}}
	}
	return all
}

func anyVariable(all []variable) string {
	names := make([]string, len(all))
	for i, v := range all {
		names[i] = "variables." + v.Name
	}
	return strings.Join(names, " || ")
}

// commented returns the role as a comment, with its purpose.
func commented(access string) string {
	var b strings.Builder
	b.WriteString("# This gives all subjects limited above access to the API, if no other role does.\n")
	for line := range strings.Lines(access) {
		b.WriteString("# " + line)
	}
	return b.String()
}

// indent adds spaces before all lines but the first.
func indent(width int, text string) string {
	return strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", width))
}

// quote writes a text as a string that is valid in JSON and YAML.
func quote(text string) (string, error) {
	quoted, err := json.Marshal(text)
	return string(quoted), err
}
