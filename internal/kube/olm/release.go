package olm

import (
	"strconv"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// release is the release in the name of a target.
type release struct {
	family       string // "olm" or "ocp"
	major, minor int
	proposed     bool
}

const (
	upstream  = "olm"
	openshift = "ocp"
)

// Four digits keep a number within an int; a leading zero would give one release a second name.
var releaseName = lazyregexp.New(`^(olm|ocp)-(0|[1-9]\d{0,3})\.(0|[1-9]\d{0,3})(-proposed)?$`)

// parseRelease reads the name of a target. It does not check whether the release exists.
func parseRelease(name string) (release, bool) {
	m := releaseName().FindStringSubmatch(name)
	if m == nil || m[1] == upstream && m[4] != "" {
		return release{}, false
	}
	return release{family: m[1], major: number(m[2]), minor: number(m[3]), proposed: m[4] != ""}, true
}

// number converts matched digits, few enough for an int.
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
