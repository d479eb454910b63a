package deniedtext

import (
	"regexp"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// Owner is a denied permission on the owner of an object. The error contains the object and not its owner: OLM makes the
// extension, or its revision, the owner of everything that it installs.
type Owner struct {
	// Object is the owned object, as in `deployments.apps "d"`; "" if the text does not contain it.
	Object string
	// Verb and Subresource are what is missing on the owner's resource: update on its finalizers, or delete on the object
	// itself.
	Verb, Subresource string
}

// The admission plugin OwnerReferencesPermissionEnforcement refuses in two ways (k8s.io/kubernetes,
// plugin/pkg/admission/gc). Its message ends with the reason of the authorizer and an error, `<nil>` for none.
const (
	blocking = "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on"
	owning   = "cannot set an ownerRef on a resource you can't delete"
)

var (
	owner    = lazyregexp.New(spaced(blocking) + `|` + spaced(owning))
	ownerEnd = lazyregexp.New(`^:[^\n]{0,300}?<nil>`)
)

// spaced returns a pattern for a sentence with any line breaks.
func spaced(sentence string) string {
	return strings.ReplaceAll(regexp.QuoteMeta(sentence), " ", gap)
}

// owners reads the refusals without a permission. Those that continue with a user and a permission were read before.
func (r *reading) owners() {
	for _, match := range owner().FindAllStringIndex(r.text, -1) {
		start, end := match[0], match[1]
		if r.leads(end + len(":")) {
			continue
		}
		found := Owner{Verb: "update", Subresource: "finalizers"}
		if !strings.Contains(r.text[start:end], "finalizers") {
			found = Owner{Verb: "delete"}
		}
		if o, named := objectBefore(r.text, 0, start); named {
			found.Object, start = o.String(), o.start
		}
		r.owned[found] = true
		r.spans = append(r.spans, span{start, end + len(ownerEnd().FindString(r.text[end:]))})
	}
}

// admission matches refusals of requests that RBAC allowed: by plugins of the API server, and by webhooks. These texts
// begin like those of RBAC.
var admission = lazyregexp.New(`violates PodSecurity|unable to validate against any security context constraint|` +
	`exceeded quota|failed quota|maximum \S+ usage per|minimum \S+ usage per|admission webhook \\*"|ValidatingAdmissionPolicy|` +
	`because it is being terminated`)
