package uses

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Place is a place where a name occurs as a word.
type Place struct {
	File string
	Line int
	// Kind is the kind of the object or document that contains it; "" outside of manifests.
	Kind string
	// Ref is the object, as in Object.Ref, and Path the field or item inside it. They are empty if the surrounding text is
	// not a readable object. For a template, Path can be known anyway: metadata.name, roleRef.name or, without an index,
	// subjects.name.
	Ref  string
	Path manifest.Path
	// Accounts are the accounts that the place names by its text, or once it is rendered; nil if they are unknown. An unknown name is "", and so is an
	// unknown namespace.
	Accounts []objects.Account
	// Certainty is Possible if the place only becomes the name when it is rendered, as ${APP}-installer.
	Certainty Certainty
	// Selects is true if the place is the name by which a patch selects the object that it changes. It does not use the object.
	Selects bool
	// Unrelated is true if the place is known to hold something other than an account: a label, an image, the name of an object of another
	// kind, or prose that is not about accounts.
	Unrelated bool
	// Comment is true if the place is a comment of a manifest. No object has it.
	Comment bool
	// Use is what the place can do with an account; "" in files that are no manifests.
	Use Use
	// OtherUnits are the units that apply the place, if it was asked for an account of a unit that removes it; nil otherwise.
	OtherUnits []string
}

// Certainty says whether a place has a name.
type Certainty int

// The zero value is Certain.
const (
	Certain Certainty = iota
	Possible
)

// Use is what a place that names an account can do with it.
type Use string

const (
	// Refers is the use of a field, or a line of a text, that names an account by its meaning, as serviceAccountName.
	Refers Use = "reference"
	// Names is a place that has the name and uses no account: an admission policy, a value that gives the account its name.
	Names Use = "name"
	// UsesRenamed is a field that the unit of an account removes, and that other units apply together with the manifest of the account,
	// which has another name there: they use another account, made from the same manifest.
	UsesRenamed Use = "renamed"
	// UnknownUse is any other place: a program that reads it may use the account.
	UnknownUse Use = "unknown"
)

// policyGroups are the API groups, and the ends of API groups, of objects that limit or exempt an account.
var policyGroups = []string{
	"kyverno.io", "policies.kyverno.io", "gatekeeper.sh", "admissionregistration.k8s.io", "flowcontrol.apiserver.k8s.io", "kubewarden.io",
}

// mutatingFields are the fields of policies that set fields of other objects, or create objects.
var mutatingFields = []string{"mutate", "mutations", "generate", "assign"}

// A line of a text names an account by its meaning if the name follows one of these.
var (
	accountKeyBefore = lazyregexp.New(`(?i)service[-_]?account[a-z_.]*\\?["']?(?:\s*[:=]\s*|\s+)(?:\{[^{}]*\bname\\?["']?\s*[:=]\s*)?\\?["']?$`)
	accountNameAlone = lazyregexp.New(`(?i)^\s*(?:-\s+)?\\?["']?name\\?["']?:\s*\\?["']?$`)
	accountKeyAlone  = lazyregexp.New(`(?i)\bservice[-_]?account[a-z_]*["']?:\s*(?:#.*)?$`)
	accountUser      = lazyregexp.New(`system:serviceaccount:[^:\s]+:$`)
)

// useInText returns the use of a name at the end of a text, of which the lines before it decide.
func useInText(before []byte) Use {
	from := bytes.LastIndexByte(before, '\n') + 1
	line := before[max(from, len(before)-maxPlaceholder):]
	if accountKeyBefore().Match(line) || accountUser().Match(line) {
		return Refers
	}
	if accountNameAlone().Match(line) && accountKeyAlone().Match(parentLine(before[:from], fieldColumn(string(line)))) {
		return Refers
	}
	return UnknownUse
}

// parentLine returns the last line of a text with less indentation than a column.
func parentLine(text []byte, column int) []byte {
	for range maxFieldLines {
		text = bytes.TrimRight(text, "\r\n")
		if len(text) == 0 {
			return nil
		}
		from := bytes.LastIndexByte(text, '\n') + 1
		if line := text[from:]; !writesNothing(string(line)) && fieldColumn(string(line)) < column {
			return line
		}
		text = text[:from]
	}
	return nil
}

// useAt returns the use of a name in a scalar at a path inside of an object, or of a document if it is nil. Text is the part of the
// scalar before the name.
func useAt(o *objects.Object, path manifest.Path, text []byte) Use {
	switch {
	case o != nil && isPolicy(o) && !hasStep(path, mutatingFields...):
		return Names
	}
	if use := useInText(text); use == Refers || o != nil && o.Group == "" && (o.Kind == "ConfigMap" || o.Kind == "Secret" && !strings.HasPrefix(path.String(), "metadata")) {
		return use
	}
	if isAccountField(path) || hasStep(path, "subjects") || o != nil && isAccountInRule(o, path) {
		return Refers
	}
	return UnknownUse
}

func isPolicy(o *objects.Object) bool {
	return slices.ContainsFunc(policyGroups, func(group string) bool { return o.Group == group || strings.HasSuffix(o.Group, "."+group) })
}

// separators are the characters that separate words in some names of fields.
var separators = strings.NewReplacer("-", "", "_", "")

// isAccountField reports whether the innermost field of a path, except for its name and its items, is called after service accounts.
func isAccountField(path manifest.Path) bool {
	for _, step := range slices.Backward(path) {
		if _, err := strconv.Atoi(step); err == nil || step == "name" {
			continue
		}
		plain := separators.Replace(strings.ToLower(step))
		return strings.Contains(plain, "serviceaccount")
	}
	return false
}

// isAccountInRule reports whether a path leads to a resourceName of a rule of a role about accounts, such as their tokens.
func isAccountInRule(o *objects.Object, path manifest.Path) bool {
	if len(path) < 2 || path[len(path)-2] != "resourceNames" {
		return false
	}
	return slices.ContainsFunc(o.Node.Lookup(path[:len(path)-2].Join("resources")).Items(), func(n *manifest.Node) bool {
		return n.String() == "*" || strings.HasPrefix(n.String(), "serviceaccounts")
	})
}

func hasStep(path manifest.Path, steps ...string) bool {
	return slices.ContainsFunc(path, func(step string) bool { return slices.Contains(steps, step) })
}

// valueFields are the fields with values of charts: of Applications of Argo CD, HelmReleases of Flux, HelmCharts, and kustomizations.
var valueFields = []string{"values", "valuesObject", "valuesInline", "valuesContent", "parameters"}

// IsChartValue reports whether a place is in the values of a chart: in an object that installs one, or in a document that is no object.
func (p Place) IsChartValue() bool {
	return p.Kind == "" && objects.IsManifestName(p.File) || hasStep(p.Path, valueFields...) &&
		slices.Contains([]string{"Application", "ApplicationSet", "HelmRelease", "HelmChart", "Kustomization"}, p.Kind)
}

// IsInPatch reports whether a place is in a patch: the objects that a unit builds show its effect.
func (p Place) IsInPatch() bool { return inPatchList(p.Path) }
