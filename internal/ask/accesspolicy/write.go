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

// Name is that of the policy, its binding, and the role that opens the API.
const Name = "olm-extension-access"

var (
	//go:embed policy.yaml
	policyText string
	//go:embed access.yaml
	accessText string

	functions      = template.FuncMap{"quote": quote, "indent": indent}
	policyTemplate = template.Must(template.New("policy").Funcs(functions).Parse(policyText))
	accessTemplate = template.Must(template.New("access").Funcs(functions).Parse(accessText))
)

// clausesPerVariable keeps expressions below the length that the API server parses.
const clausesPerVariable = 100

// variable is one of the policy's variables.
type variable struct{ Name, Text string }

// page is what the templates see.
type page struct {
	Name, Label, By, Group   string
	Resources, Limited, OLM  string
	NoSettings               string
	Extensions, Catalogs     []variable
	AnyExtension, AnyCatalog string
	Subjects                 []rbac.Subject
}

// ErrNobody says that there is nobody to limit.
var ErrNobody = errors.New("nobody but administrators may write ClusterExtensions by the roles here, so there is nobody to limit")

// ErrTooMany says that the subjects do not fit into a match condition: the API server parses no longer one.
var ErrTooMany = errors.New("too many subjects for one policy: bind groups in place of their members, or name the folder of one cluster")

// mostText is how long the condition may be that names the subjects. The API server parses 100,000 characters.
const mostText = 95_000

// Manifest writes the policy and its binding in YAML. The role that opens the API to the subjects, and its binding, follow:
// with withAccess as objects, else as a comment. The error is ErrNobody or ErrTooMany.
func (s *Scope) Manifest(withAccess bool) ([]byte, error) {
	if len(s.Subjects) == 0 {
		return nil, ErrNobody
	}
	whom := limited(s.Subjects)
	if len(whom) > mostText {
		return nil, fmt.Errorf("%w: there are %d", ErrTooMany, len(s.Subjects))
	}
	extensions, catalogs := variables("allowedExtensions", clausesOf(s.Extensions)), variables("allowedCatalogs", clausesOf(s.Catalogs))
	olm := celList(olmUsers())
	p := page{
		Name: Name, Label: generate.ManagedByLabel, By: generate.ManagedBy, Group: Group,
		Resources: strings.Join(Resources, ", "), Limited: whom,
		OLM:        strings.ReplaceAll(strings.Trim(olm, "[]"), ", ", ",\n"),
		NoSettings: noSettings,
		Extensions: extensions, Catalogs: catalogs, AnyExtension: anyVariable(extensions), AnyCatalog: anyVariable(catalogs),
		Subjects: s.Subjects,
	}
	var policy, access bytes.Buffer
	if err := errors.Join(policyTemplate.Execute(&policy, p), accessTemplate.Execute(&access, p)); err != nil {
		return nil, err
	}
	if !withAccess {
		return append(policy.Bytes(), commented(access.String())...), nil
	}
	return append(policy.Bytes(), access.Bytes()...), nil
}

// variables spreads clauses over as many variables as they need; one at least, which may be false.
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

// commented makes a comment of the role, and says what it is for.
func commented(access string) string {
	var b strings.Builder
	b.WriteString("# This opens the API to all those who are limited above, where no role of theirs does so yet.\n")
	for line := range strings.Lines(access) {
		b.WriteString("# " + line)
	}
	return b.String()
}

// indent puts spaces before all lines but the first.
func indent(width int, text string) string {
	return strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", width))
}

// quote writes a text in quotes that both JSON and YAML read.
func quote(text string) (string, error) {
	quoted, err := json.Marshal(text)
	return string(quoted), err
}
