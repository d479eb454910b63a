package olm

import (
	"regexp"
	"strconv"
)

// release is the release that the name of a target spells out.
type release struct {
	family       string // "olm" or "ocp"
	major, minor int
	proposed     bool
}

const (
	upstream  = "olm"
	openshift = "ocp"
)

// Four digits keep a number within an int; a leading zero would make a second name for one release.
var releaseName = regexp.MustCompile(`^(olm|ocp)-(0|[1-9]\d{0,3})\.(0|[1-9]\d{0,3})(-proposed)?$`)

// parseRelease reads the name of a target. It knows nothing of which releases exist.
func parseRelease(name string) (release, bool) {
	m := releaseName.FindStringSubmatch(name)
	if m == nil || m[1] == upstream && m[4] != "" {
		return release{}, false
	}
	return release{family: m[1], major: number(m[2]), minor: number(m[3]), proposed: m[4] != ""}, true
}

// number reads digits that a pattern has found, few enough for an int.
func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

func (r release) before(other release) bool {
	if r.major != other.major {
		return r.major < other.major
	}
	return r.minor < other.minor
}

func (r release) name() string {
	return r.family + "-" + strconv.Itoa(r.major) + "." + strconv.Itoa(r.minor)
}
