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
)

// MaxSize is how much text is read. A condition's message has at most 32 KiB; the rest is room for logs.
const MaxSize = 8 << 20

// ErrNothing says that a text has no word about permissions.
var ErrNothing = errors.New("the text holds no permission error: expected a refusal (… is forbidden: User … cannot …), " +
	"an error about RBAC permissions not currently held, or the permissions that a pre-authorization lists")

// Report is what a text says about permissions. Everything is sorted and there once.
type Report struct {
	// Identities are those that were refused something, with the groups that the text mentions, which are seldom all.
	Identities []rbac.Identity
	Missing    []Missing
	// Unresolved are roles that somebody is bound to and that were not found when the text was written, such as
	// `clusterrole "reader"`: what they would have granted may be missing as well.
	Unresolved []string
	// Owners are refusals of a permission on an owner that the text does not name.
	Owners []Owner
	// Admission are the sentences about requests that admission refused: pod security, quotas, webhooks. Who sent them had
	// the permission.
	Admission []string
	// Extensions are the ClusterExtensions of which the text holds the whole object.
	Extensions []olm.Extension
	// Unread are the sentences that speak of permissions and could not be read, in the order of the text.
	Unread []string
	// Truncated is true when the text was cut off: there may be more that is missing.
	Truncated bool
}

// Missing is a permission that somebody did not have.
type Missing struct {
	// Namespace is "" for the whole cluster, and rbac.UnknownNamespace where the text does not tell: an error about
	// escalation names the Role or RoleBinding, not its namespace.
	Namespace string
	// Rule is a single permission: one verb on one resource, of one name or of any; or one verb on one URL.
	Rule rbacv1.PolicyRule
	// User is who did not have it, "" where the text does not tell.
	User string
	// Escalation is true when it is not needed for itself, but to grant it to somebody else: `escalate` or `bind` would
	// do as well.
	Escalation bool
	// Why says which sentence asks for it.
	Why string
}

// Parse reads a text: messages, logs, or the output of kubectl in any of its formats. The error is ErrNothing, or says that
// the text is too long. A permission of which only a part could be read is not in the report; its sentence is.
func Parse(data []byte) (Report, error) {
	if len(data) > MaxSize {
		return Report{}, fmt.Errorf("the text has %d bytes: at most %d are read; cut out the errors", len(data), MaxSize)
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

// empty tells whether the text has nothing about permissions. An extension without a failure has none either.
func (r Report) empty() bool {
	return len(r.Missing)+len(r.Owners)+len(r.Admission)+len(r.Unread)+len(r.Unresolved) == 0 && !r.Truncated
}

// InNamespace gives the missing permissions with a namespace for those whose text does not tell it.
func (r Report) InNamespace(namespace string) []Missing {
	missing := slices.Clone(r.Missing)
	for i := range missing {
		if missing[i].Namespace == rbac.UnknownNamespace {
			missing[i].Namespace = namespace
		}
	}
	return missing
}

// collector puts together what the parts of a text say.
type collector struct {
	missing    map[string]Missing
	groups     map[string]map[string]bool
	unresolved map[string]bool
	owned      map[Owner]bool
	admission  []string
	extensions []olm.Extension
	unread     []string
	seen       map[string]bool
	more       int
	truncated  bool
}

func newCollector() *collector {
	return &collector{
		missing: map[string]Missing{}, groups: map[string]map[string]bool{},
		unresolved: map[string]bool{}, owned: map[Owner]bool{}, seen: map[string]bool{},
	}
}

// maxMissing is how many permissions are told apart. Beyond it a rule is kept as it was written.
const maxMissing = 100_000

// add enters what a rule allows, each permission for itself.
func (c *collector) add(m Missing) {
	if len(m.Rule.NonResourceURLs) > 0 {
		m.Namespace = "" // no Role can grant a URL
	}
	for _, single := range singles(m.Rule, maxMissing-len(c.missing)) {
		m.Rule = single
		key := fmt.Sprintf("%q %q %s", m.User, m.Namespace, ruleKey(single))
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

// maxUnread is how many sentences are shown that could not be read; the others are counted.
const maxUnread = 200

func (c *collector) addUnread(sentence string) {
	switch {
	case sentence == "" || c.seen[sentence]:
	case admission.MatchString(sentence):
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
		Unread: c.unread, Truncated: c.truncated, Unresolved: slices.Sorted(maps.Keys(c.unresolved)),
		Admission: c.admission, Extensions: c.extensions,
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
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(ruleKey(a.Rule), ruleKey(b.Rule)))
	})
	if c.more > 0 {
		report.Unread = append(report.Unread, fmt.Sprintf("and %d more", c.more))
	}
	return report
}

// ruleKey tells rules apart, and orders them as a reader looks for them: what it is about, then the verb.
func ruleKey(r rbacv1.PolicyRule) string {
	return fmt.Sprintf("%q%q%q%q%q", r.APIGroups, r.Resources, r.ResourceNames, r.NonResourceURLs, r.Verbs)
}

func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xfffd })
}
