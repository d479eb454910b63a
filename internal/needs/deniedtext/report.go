package deniedtext

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// MaxSize limits the text. A condition's message has at most 32 KiB; logs can be longer.
const MaxSize = 8 << 20

// ErrNothing reports that a text contains nothing about permissions.
var ErrNothing = errors.New("the text contains no permission error: expected a refusal (… is forbidden: User … cannot …), " +
	"an error about RBAC permissions not currently held, the permissions that a pre-authorization lists, an account that is not found, " +
	"or a message about spec.serviceAccount of a ClusterExtension")

// Report is what a text contains about permissions, sorted and without duplicates.
type Report struct {
	// Identities are those that were denied something, with the groups in the text, which are rarely complete.
	Identities []rbac.Identity
	Missing    []Missing
	// Unresolved are bound roles that did not exist when the text was written, such as `clusterrole "reader"`: the
	// permissions that they would have granted can be missing as well.
	Unresolved []string
	// Owners are denied permissions on an owner that is not in the text.
	Owners []Owner
	// Admission are sentences about requests that admission rejected (pod security, quotas, webhooks) although the
	// permission existed.
	Admission []string
	// Accounts are accounts that did not exist when the text was written, sorted: NAMESPACE/NAME, or NAME without a known namespace.
	Accounts []string
	// Extensions are the ClusterExtensions that the text contains completely.
	Extensions []olm.Extension
	// Fields are messages about spec.serviceAccount of extensions, sorted: refusals of the API server, and warnings that the
	// account is ignored. What is missing is then not missing to that account.
	Fields []FieldMessage
	// Unread are the sentences about permissions that could not be read, in the order of the text.
	Unread []string
	// Truncated is set if the text was truncated: further permissions can be missing.
	Truncated bool
	// Incomplete is set if a pre-authorization says that its list may be incomplete.
	Incomplete bool
}

// Missing is a permission that a user did not have.
type Missing struct {
	// Namespace is "" for the whole cluster, and rbac.UnknownNamespace if the text does not contain it: an escalation error
	// contains the Role or RoleBinding and not its namespace.
	Namespace string
	// Rule is a single permission: one verb on one resource, for one name or all; or one verb on one URL.
	Rule rbacv1.PolicyRule
	// User is the user without the permission, "" if the text does not contain it.
	User string
	// Escalation is set if the permission is needed only to grant it: `escalate` or `bind` would be sufficient.
	Escalation bool
	// Listed is set if a pre-authorization of OLM lists the permission.
	Listed bool
	// Aggregation is set if the permission is needed to write a ClusterRole that aggregates others; every permission at once
	// would be sufficient, too.
	Aggregation bool
	// Why describes the sentence that requires it.
	Why string
}

// Parse reads a text: messages, logs, or the output of kubectl in any format. The error is ErrNothing, or reports that the
// text is too long. A permission that was read only partly is not in the report; its sentence is.
func Parse(data []byte) (Report, error) {
	if len(data) > MaxSize {
		return Report{}, fmt.Errorf("the text has %d bytes, but at most %d are read. Pass only the errors", len(data), MaxSize)
	}
	found := newCollector()
	sources, extensions := sourcesOf(data)
	for _, source := range sources {
		found.read(source)
	}
	found.extensions = extensions
	report := found.report()
	if report.empty() {
		return Report{}, ErrNothing
	}
	return report, nil
}

// empty reports whether the text contains nothing about permissions. An extension without a failure counts as nothing.
func (r Report) empty() bool {
	return len(r.Missing)+len(r.Owners)+len(r.Admission)+len(r.Unread)+len(r.Unresolved)+len(r.Fields)+len(r.Accounts) == 0 && !r.Truncated
}

// IsAboutIdentity reports whether the text refuses a permission, so that it matters whose it is.
func (r Report) IsAboutIdentity() bool { return len(r.Missing)+len(r.Owners) > 0 }

// OnlyFields reports whether the text is only about spec.serviceAccount, and refuses no permission.
func (r Report) OnlyFields() bool {
	return len(r.Fields) > 0 && len(r.Missing)+len(r.Owners)+len(r.Accounts)+len(r.Unresolved) == 0
}

// InNamespace returns the missing permissions, with a namespace for those whose text contains none.
func (r Report) InNamespace(namespace string) []Missing {
	missing := slices.Clone(r.Missing)
	for i := range missing {
		if missing[i].Namespace == rbac.UnknownNamespace {
			missing[i].Namespace = namespace
		}
	}
	return missing
}

// collector combines the contents of all parts of a text.
type collector struct {
	missing    map[string]Missing
	groups     map[string]map[string]bool
	unresolved map[string]bool
	owned      map[Owner]bool
	fields     []FieldMessage
	absent     map[string]bool
	admission  []string
	extensions []olm.Extension
	unread     []string
	seen       map[string]bool
	more       int
	truncated  bool
	incomplete bool
}

func newCollector() *collector {
	return &collector{
		missing: map[string]Missing{}, groups: map[string]map[string]bool{},
		unresolved: map[string]bool{}, owned: map[Owner]bool{}, absent: map[string]bool{}, seen: map[string]bool{},
	}
}

// maxMissing limits the single permissions. Beyond it rules are kept as they are written.
const maxMissing = 100_000

// add adds the single permissions of a rule.
func (c *collector) add(m Missing) {
	if len(m.Rule.NonResourceURLs) > 0 {
		m.Namespace = "" // no Role can grant a URL
	}
	for _, single := range singles(m.Rule, maxMissing-len(c.missing)) {
		m.Rule = single
		key := fmt.Sprintf("%q %q %s", m.User, m.Namespace, policyrules.Key(single))
		if _, known := c.missing[key]; !known {
			c.missing[key] = m
		}
	}
}

func (c *collector) identity(user string, groups []string) {
	if c.groups[user] == nil {
		c.groups[user] = map[string]bool{}
	}
	for _, group := range groups {
		c.groups[user][group] = true
	}
}

// maxUnread limits the unread sentences that are shown; the others are counted.
const maxUnread = 200

func (c *collector) addUnread(sentence string) {
	switch {
	case sentence == "" || c.seen[sentence]:
	case admission().MatchString(sentence):
		c.seen[sentence] = true
		if len(c.admission) < maxUnread {
			c.admission = append(c.admission, sentence)
		}
	case len(c.unread) == maxUnread:
		c.more++
	default:
		c.seen[sentence] = true
		c.unread = append(c.unread, sentence)
	}
}

func (c *collector) report() Report {
	report := Report{
		Unread: c.unread, Truncated: c.truncated, Incomplete: c.incomplete, Unresolved: slices.Sorted(maps.Keys(c.unresolved)),
		Admission: c.admission, Extensions: c.extensions, Fields: sortedFields(c.fields), Accounts: slices.Sorted(maps.Keys(c.absent)),
		Owners: slices.SortedFunc(maps.Keys(c.owned), func(a, b Owner) int {
			return cmp.Or(cmp.Compare(a.Object, b.Object), cmp.Compare(a.Verb, b.Verb))
		}),
	}
	for _, user := range slices.Sorted(maps.Keys(c.groups)) {
		groups := slices.Sorted(maps.Keys(c.groups[user]))
		report.Identities = append(report.Identities, rbac.Identity{User: user, Groups: groups})
	}
	for _, key := range slices.Sorted(maps.Keys(c.missing)) {
		report.Missing = append(report.Missing, c.missing[key])
	}
	slices.SortStableFunc(report.Missing, func(a, b Missing) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(sequence(a.Rule), sequence(b.Rule)))
	})
	if c.more > 0 {
		report.Unread = append(report.Unread, fmt.Sprintf("and %d more", c.more))
	}
	return report
}

// sequence sorts rules: by resource, then by verb.
func sequence(r rbacv1.PolicyRule) string {
	return fmt.Sprintf("%q%q%q%q%q", r.APIGroups, r.Resources, r.ResourceNames, r.NonResourceURLs, r.Verbs)
}

func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xfffd })
}
