package metadata

import (
	"encoding/json"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Outline is what salint needs of a policy, apart from its evaluation.
type Outline struct {
	// Package is the path of the package, as in data.salint.rules.olm.target_conflict, and PackageRow is its line.
	Package    string
	PackageRow int
	// Block is the METADATA of the package; nil if there is none.
	Block *metadataBlock
	// Reports are the rules named report.
	Reports []reportRule
	Tests   []namedTest
}

// metadataBlock is the METADATA of a package, from line First to line Last.
type metadataBlock struct {
	First, Last        int
	Title, Description string
	// Custom is the custom part; CustomError is why it cannot be read.
	Custom      json.RawMessage
	CustomError string
	Links       []Link
}

// reportRule is a rule named report, and where it is. Set is true for `report contains …`.
type reportRule struct {
	Row, Col int
	Set      bool
}

// namedTest is a test as the tester names it, and its line.
type namedTest struct {
	Name string
	Row  int
}

// OutlineOf returns the outline of a parsed policy.
func OutlineOf(module *ast.Module) Outline {
	o := Outline{Package: module.Package.Path.String(), PackageRow: module.Package.Location.Row, Block: blockOf(module)}
	for _, rule := range module.Rules {
		if rule.Head.Name == "report" {
			o.Reports = append(o.Reports, reportRule{rule.Location.Row, rule.Location.Col, rule.Head.DocKind() == ast.PartialSetDoc})
		}
		if name := rule.Head.Ref().String(); strings.HasPrefix(name, "test_") {
			o.Tests = append(o.Tests, namedTest{o.Package + "." + name, rule.Location.Row})
		}
	}
	return o
}

// blockOf returns the METADATA of the package, nil if there is none.
func blockOf(module *ast.Module) *metadataBlock {
	for _, a := range module.Annotations {
		if a.Scope != "package" {
			continue
		}
		b := &metadataBlock{First: a.Location.Row, Last: a.EndLoc().Row, Title: a.Title, Description: a.Description}
		custom, err := json.Marshal(a.Custom)
		if b.Custom = custom; err != nil {
			b.CustomError = err.Error()
		}
		for _, r := range a.RelatedResources {
			b.Links = append(b.Links, Link{URL: r.Ref.String(), Description: r.Description})
		}
		return b
	}
	return nil
}
