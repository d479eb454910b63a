package charts

import (
	"fmt"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chartutil"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/protocol"
)

var (
	// listUse is a use of the API versions of the cluster, and singleTest one that asks for one of them.
	listUse    = lazyregexp.New(`\.APIVersions\b`)
	singleTest = lazyregexp.New(`\.APIVersions\.Has\b|:=\s*\$?\.Capabilities\.APIVersions\s*-?\}\}|\bhas\s+["` + "`" + `][^"` + "`" + `]+["` + "`" + `]\s+\$?\.Capabilities\.APIVersions\b`)
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
		for _, test := range protocol.VersionTests(f.data) {
			if version := test.Version; !set.covers(version) && !said[version] {
				said[version] = true
				problems = append(problems, problemIn(f, test.Offset, fmt.Sprintf(testsVersion+"%s were checked only for clusters "+
					set.checkedFor()+". "+set.howToAdd(version), version)))
			}
		}
		if uses := listUse().FindAllIndex(f.data, -1); len(uses) > len(singleTest().FindAllIndex(f.data, -1)) {
			problems = append(problems, problemIn(f, uses[0][0], testsVersion+"by reading the list of all were checked only for clusters without further ones. "+
				"Write the test as `.Capabilities.APIVersions.Has`, so that it is understood"))
		}
		if at := clockUse().FindIndex(f.data); at != nil && !inComment(f.data[at[0]:at[1]]) {
			problems = append(problems, problemIn(f, at[0], readsClock+"it was checked as rendered now, and fixes of it may not be verifiable"))
		}
	}
	return problems
}

// The beginnings of the messages about conditions.
const (
	testsVersion    = "templates that test for the API version "
	testsRemoved    = "templates that test for the removed API version "
	testsKubernetes = "templates that test the version of Kubernetes "
	repeatsKey      = "this key is set again in the same mapping: "
	readsClock      = "this template renders differently each time, because it reads the clock: "
)

// IsCondition reports whether a message is about what templates render on other clusters, at another time, or with another tool.
func IsCondition(message string) bool {
	return slices.ContainsFunc([]string{testsVersion, testsRemoved, testsKubernetes, readsClock, repeatsKey}, func(beginning string) bool {
		return strings.HasPrefix(message, beginning)
	})
}

// versionsFlag is the flag that lists API versions.
const versionsFlag = "helm-api-versions"

// covers reports whether the set, or another set that differs only in API versions, has an API version, written as
// group/version or group/version/Kind.
func (s Set) covers(version string) bool {
	return slices.Contains(chartutil.DefaultVersionSet, version) || slices.Contains(s.APIVersions, version) ||
		slices.Contains(s.OtherVersions, version) && !s.Together
}

// howToAdd says how the set is checked with further API versions. The flag adds sets to a chart as it is, and no versions to applications.
func (s Set) howToAdd(versions ...string) string {
	setting := fmt.Sprintf("dd `helm: {%s: {apiVersions: [%s]}}` to .salint.yaml", s.Chart, strings.Join(versions, ", "))
	if s.Dependencies != render.BuiltByUser {
		return "A" + setting
	}
	return fmt.Sprintf("Pass --%s %s, or a%s", versionsFlag, strings.Join(versions, ","), setting)
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
