package charts

import (
	"fmt"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chartutil"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

var (
	// versionCondition is `.Capabilities.APIVersions.Has "group/version"`.
	versionCondition = lazyregexp.New(`\.Capabilities\.APIVersions\.Has\s+["` + "`" + `]([^"` + "`" + `]+)["` + "`" + `]`)
	// clockUse is an action that reads the time.
	clockUse = lazyregexp.New(`\{\{[^}]*\bnow\b[^}]*\}\}`)
)

// conditions reports what was not checked about relevant templates: what they render on a cluster with an API version that
// is not listed, and what they render at another time.
func (b *builder) conditions(set Set, c content) []objects.Problem {
	var problems []objects.Problem
	said := map[string]bool{}
	for _, f := range c.templates() {
		if b.Mentions != nil && !b.Mentions(f.data) {
			continue
		}
		for _, at := range versionCondition().FindAllSubmatchIndex(f.data, -1) {
			if version := string(f.data[at[2]:at[3]]); !set.covers(version) && !said[version] {
				said[version] = true
				problems = append(problems, problemIn(f, at[0], fmt.Sprintf(testsVersion+"%s were checked only for clusters "+
					set.checkedFor()+". Pass --%s %s, or add `helm: {%s: {apiVersions: [%s]}}` to .salint.yaml", version, versionsFlag, version, set.Chart, version)))
			}
		}
		if at := clockUse().FindIndex(f.data); at != nil && !inComment(f.data[at[0]:at[1]]) {
			problems = append(problems, problemIn(f, at[0], readsClock+"it was checked as rendered now, and fixes of it may not be verifiable"))
		}
	}
	return problems
}

// The beginnings of the messages about conditions.
const (
	testsVersion = "templates that test for the API version "
	repeatsKey   = "this key is set again in the same mapping: "
	readsClock   = "this template renders differently each time, because it reads the clock: "
)

// IsCondition reports whether a message is about what templates render on other clusters, at another time, or with another tool.
func IsCondition(message string) bool {
	return strings.HasPrefix(message, testsVersion) || strings.HasPrefix(message, readsClock) || strings.HasPrefix(message, repeatsKey)
}

// versionsFlag is the flag that lists API versions.
const versionsFlag = "helm-api-versions"

// covers reports whether the set, or another set that differs only in API versions, has an API version, written as
// group/version or group/version/Kind.
func (s Set) covers(version string) bool {
	return slices.Contains(chartutil.DefaultVersionSet, version) || slices.Contains(s.APIVersions, version) ||
		slices.Contains(s.OtherVersions, version) && !s.Together
}

// checkedFor says with which of the API versions that templates test a chart is rendered.
func (s Set) checkedFor() string {
	if s.Together {
		return "with all or none of the tested versions"
	}
	return "without it"
}

func inComment(action []byte) bool {
	return strings.HasPrefix(strings.TrimLeft(string(action), "{- \t"), "/*")
}

func problemIn(f file, offset int, message string) objects.Problem {
	line, column := (&manifest.File{Path: f.name, Data: f.data}).Position(offset)
	return objects.Problem{Position: objects.Position{File: f.name, Line: line, Column: column}, Message: message}
}
