package protocol

import "github.com/salint/salint/internal/base/lazyregexp"

// versionTest is a test for an API version that is written at the test, by the method of the list or by the function of sprig.
var versionTest = lazyregexp.New(`\.Capabilities\.APIVersions\.Has\s+["` + "`" + `]([^"` + "`" + `]+)["` + "`" + `]|\bhas\s+["` + "`" + `]([^"` + "`" + `]+)["` + "`" + `]\s+\$?\.Capabilities\.APIVersions\b`)

// VersionTest is where a template tests for an API version.
type VersionTest struct {
	Offset  int
	Version string
}

// VersionTests returns the tests of a template whose API version can be read without rendering it.
func VersionTests(template []byte) []VersionTest {
	var found []VersionTest
	for _, at := range versionTest().FindAllSubmatchIndex(template, -1) {
		from, to := max(at[2], at[4]), max(at[3], at[5]) // -1 for the other form
		found = append(found, VersionTest{at[0], string(template[from:to])})
	}
	return found
}
