package answer

import (
	"fmt"
	"io"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/kube/crdsafety"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/preflight"
)

// Answer is the result to print.
type Answer struct {
	// Extension is the extension's name, and Namespace the one it is installed in; "" if unknown, for example for error
	// texts without them.
	Extension, Namespace string
	Identity             rbac.Identity
	// Target is the release that was checked, and how it is known.
	Target Target
	// Content describes what would be installed, for example "bundles/harbor, 24 objects".
	Content string
	// Unit contains the repository's roles and bindings, From is the extension, and Bindings are those that apply to the
	// identity. Unit and From can be nil.
	Unit     *objects.Unit
	From     *objects.Object
	Bindings []rbac.Binding
	// Escalation is the chosen way to be allowed to create roles.
	Escalation preflight.Escalation
	Result     preflight.Result
	// Definitions is what the release does with changes of definitions, if a version is replaced.
	Definitions crdsafety.Result
	// All prints everything that is needed instead of what is missing.
	All bool
	// Condition is the condition under which OLM acts as the identity, for example "if the gate is on"; "" if there is
	// none.
	Condition string
	// NothingNeeded is set if OLM acts with its own account, so that the identity needs nothing. Reason says why.
	NothingNeeded bool
	Reason        string
	// Notes are further notes, one sentence each.
	Notes []string
	// Errors is set if the permissions were read from an error text.
	Errors *Errors
	// CreateAccount is set if the repository does not have the account of the identity: the manifests then include it.
	CreateAccount bool
	// GrantedFrom is the file that says what the identity holds; "" if the repository does.
	GrantedFrom string
	// OfUser is set if the answer is for one of several users, whose manifests must not have the same names.
	OfUser bool
	// OtherAccounts is set if pods of the content run as accounts that it does not create, about which there are notes.
	OtherAccounts bool
	// Others are the answers for other identities, for JSON.
	Others []Answer
	// Becomes are the steps with which the identity becomes cluster-admin with the permissions of [Answer.Grants] alone; none if there is
	// no way.
	Becomes []string
	// Command is the command line of the answer, without its format.
	Command string
	// Verbose disables the shortening of lists.
	Verbose bool
	// Rel returns the path of a repository file relative to the working directory; nil returns it unchanged.
	Rel func(file string) string
}

// Target is a release.
type Target struct {
	Name, Model, Runtime string
	// DetectedFrom is the position of the deciding signal, "" if the target was given or is unknown.
	DetectedFrom string
	Known        bool
}

// Errors are the gaps of an error text.
type Errors struct {
	// Source is the origin of the text.
	Source string
	// Unread are the parts that look like errors about permissions and could not be read.
	Unread []string
	// Truncated is set if the text was truncated.
	Truncated bool
	// Granted are permissions that are missing according to the text, and granted in the repository; they are not in
	// Result.Missing.
	Granted []preflight.Scoped
	// Owners are denied permissions on an owner that is not in the text.
	Owners []Owner
	// Accounts are accounts that do not exist.
	Accounts []string
	// Fields are messages about spec.serviceAccount.
	Fields []FieldMessage
	// Advice is what to do instead of granting what is missing; none if granting it is right.
	Advice []string
	// Complete is set if a pre-authorization lists all that is missing, and nothing else was read.
	Complete bool
	// Admission are sentences about requests that were allowed, and rejected for other reasons.
	Admission []string
	// OfOLM is set if the text is one of OLM: what is refused is needed to install an extension.
	OfOLM bool
	// Contradicted is the name of the target on which no grant limits OLM, so that the text cannot be OLM's on it; otherwise "".
	Contradicted string
}

// Owner is a permission that is missing on the owner of an object: a verb, on a subresource unless that is "".
type Owner struct{ Object, Verb, Subresource string }

// missing describes the permission.
func (o Owner) missing() string {
	if o.Subresource == "" {
		return o.Verb + " on its owner"
	}
	return fmt.Sprintf("%s on the %s of its owner", o.Verb, o.Subresource)
}

// Formats returns the names of the formats.
func Formats() []string { return []string{"text", "json", "yaml", "markdown"} }

// CheckFormat returns an error if a name is not one of a format.
func CheckFormat(name string) error {
	if slices.Contains(Formats(), name) {
		return nil
	}
	return nearest.Unknown("format", name, Formats())
}

// Write prints the answer in a format.
func (a Answer) Write(w io.Writer, format string) error {
	if err := CheckFormat(format); err != nil {
		return err
	}
	switch format {
	case "json":
		return a.writeJSON(w)
	case "yaml":
		return a.writeYAML(w)
	case "markdown":
		_, err := io.WriteString(w, a.markdown())
		return err
	}
	_, err := io.WriteString(w, a.text())
	return err
}

// Missing reports whether anything is missing: on the cluster of an error text, an account or a field included, or in the repository.
func (a Answer) Missing() bool {
	return len(a.Result.Missing) > 0 || a.Errors != nil && (len(a.Errors.Granted)+len(a.Errors.Owners)+len(a.Errors.Accounts) > 0 || a.Errors.refusesField())
}

// Blocked returns the error that the release blocks the upgrade because of definitions; nil if it does not.
func (a Answer) Blocked() error {
	if len(a.Definitions.Blocked) == 0 {
		return nil
	}
	return fmt.Errorf("the upgrade is blocked: %s; %s", a.Definitions.Blocked[0], a.Definitions.Blocked[0].Remedy())
}

// notes returns the notes of the answer, and those that follow from it.
func (a Answer) notes() []string {
	notes := slices.Clone(a.Notes)
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	effective := a.Result.Effective
	more := "roles outside the repository"
	if !effective.Versions.Known() {
		more += ", or newer versions of Kubernetes,"
	}
	for _, ref := range effective.Unknown {
		add("%s is granted to the identity, but it is not in the repository or cannot be read: "+
			"its unknown rules may contain what is missing", roleName(ref))
	}
	for _, ref := range effective.Partial {
		add("%s is granted to the identity, and %s may add rules to it", roleName(ref), more)
	}
	for _, b := range effective.Uncertain {
		if b.Refused != "" {
			add("%s was counted, although the API server rejects it because of %s", a.bindingPlace(b), b.Refused)
			continue
		}
		if b.Duplicate {
			add("%s was counted, although it exists more than once: what is applied last replaces the other", a.bindingPlace(b))
			continue
		}
		add("%s was counted, although it is uncertain whether it applies to the identity, or in which namespace", a.bindingPlace(b))
	}
	for _, ref := range a.referred(func(n preflight.Need) bool { return n.Unknown }) {
		add("the bundle binds %s, which is neither in it nor in the repository: its rules are unknown, "+
			"and only bind on it is certain to be sufficient", roleName(ref))
	}
	for _, ref := range a.referred(func(n preflight.Need) bool { return n.Partial }) {
		add("the bundle binds %s, to which %s may add rules: then more is missing, "+
			"unless bind on it is granted", roleName(ref), more)
	}
	for _, need := range a.growing() {
		add("the bundle binds %s, which has more rules from Kubernetes %s on, and the version of the cluster is unknown: with it more is needed, "+
			"unless bind on the role is granted. A target such as ocp-4.20 determines the version", roleName(need.Role), need.Grows)
	}
	if a.CreateAccount {
		subject := preflight.SubjectOf(a.Identity)
		add("ServiceAccount %s/%s is not in the repository, so --format yaml prints it as well", subject.Namespace, subject.Name)
	}
	if a.refusesNamespaced() {
		add("with the gate %s, operator-controller v1.10 and before accepts escalate only in the whole cluster: it may refuse the installation "+
			"although the API server would accept escalate in a namespace", olm.PreflightGate)
	}
	switch who := a.powers(); {
	case who != "":
		notes = append(notes, who)
	case len(a.Becomes) > 0:
		add("%s", a.becomes())
	default:
		notes = append(notes, a.reached()...)
	}
	if a.Errors != nil && a.Errors.Truncated {
		notes = append(notes, "the controller truncated the text, so more may be missing. Run salint preflight with --bundle for everything")
	}
	return notes
}

// refusesNamespaced reports whether the answer suggests escalate in a namespace, which the pre-authorizer of upstream's
// releases ignores: internal/operator-controller/authorization/rbac.go at v1.10.0 asks for escalate in the whole cluster.
func (a Answer) refusesNamespaced() bool {
	if a.Escalation != preflight.Verbs || a.Errors != nil || strings.HasPrefix(a.Target.Name, "ocp-") {
		return false
	}
	return slices.ContainsFunc(a.Wanted(), func(s preflight.Scoped) bool {
		return s.Namespace != "" && slices.ContainsFunc(s.Rules, func(r rbacv1.PolicyRule) bool { return slices.Contains(r.Verbs, "escalate") })
	})
}

// granted returns what the printed manifests grant.
func (a Answer) granted() []preflight.Scoped {
	if a.All {
		return a.Result.Needed
	}
	return a.Result.Missing
}

// powers returns a note if the identity gets permissions by which it can grant itself all others.
func (a Answer) powers() string {
	granted := a.granted()
	found := preflight.Powers(granted)
	if len(found) == 0 {
		return ""
	}
	administrator := "an administrator"
	if limited := preflight.AdministratorOf(granted); len(limited) > 0 {
		administrator = "the administrator of namespace " + strings.Join(limited, ", ")
	}
	if a.Escalation == preflight.Verbs && a.Errors == nil {
		return fmt.Sprintf("the missing permissions allow their holder to become %s (%s): --escalation hold lists alternatives",
			administrator, strings.Join(found, ", "))
	}
	text := fmt.Sprintf("the missing permissions allow their holder to become %s (%s)", administrator, strings.Join(found, ", "))
	if a.Errors == nil {
		text += ": the bundle requires them, and so does its installer"
	}
	return text
}

// reached returns notes about permissions that reach accounts of which nothing is known. Those count that the identity already has, as well.
func (a Answer) reached() []string {
	needed, whose := a.needs(), "permissions that the bundle needs"
	if a.Errors != nil {
		whose = "the missing permissions"
	}
	var notes []string
	if reached := preflight.Reaching(needed); len(reached) > 0 {
		notes = append(notes, fmt.Sprintf("%s reach running pods of all namespaces, and with them the accounts of those pods, which can be administrators: %s",
			whose, strings.Join(reached, "; ")))
	}
	if preflight.ReadsSecrets(needed) {
		notes = append(notes, whose+" read the Secrets of all namespaces, and with them tokens and credentials that are stored there, which can be those of administrators")
	}
	return notes
}

// needs returns all that is needed, or what is missing according to an error text.
func (a Answer) needs() []preflight.Scoped {
	if a.Errors != nil {
		return a.Result.Missing
	}
	return a.Result.Needed
}

// Grants returns the subject of the answer, and the roles and bindings for all that it needs, or lacks according to an error text, of which
// a caller determines Becomes; nothing if a note has the powers already.
func (a Answer) Grants() (rbac.Subject, []byte) {
	needed := a.needs()
	if a.NothingNeeded || len(needed) == 0 || a.powers() != "" {
		return rbac.Subject{}, nil
	}
	return preflight.SubjectOf(a.Identity), preflight.Manifests(a.grantee(), needed)
}

// becomes returns the note that the identity can become cluster-admin.
func (a Answer) becomes() string {
	what := "the permissions that the bundle needs allow their holder to become cluster-admin, as the operator itself can"
	if a.Errors != nil {
		what = "the missing permissions allow their holder to become cluster-admin"
	}
	return what + ": it " + strings.Join(a.Becomes, ", then ")
}

// referred returns the roles of the selected needs, each once.
func (a Answer) referred(wanted func(preflight.Need) bool) []rbac.RoleRef {
	var refs []rbac.RoleRef
	for _, gap := range a.Result.Gaps {
		if wanted(gap.Need) && !slices.Contains(refs, gap.Role) {
			refs = append(refs, gap.Role)
		}
	}
	return refs
}

// growing returns the needs of bindings of default roles that have more rules in newer versions of Kubernetes, one for each role.
func (a Answer) growing() []preflight.Need {
	var growing []preflight.Need
	for _, n := range a.Result.Needs {
		known := func(other preflight.Need) bool { return other.Role == n.Role }
		if n.Grows != 0 && !slices.ContainsFunc(growing, known) {
			growing = append(growing, n)
		}
	}
	return growing
}

func roleName(ref rbac.RoleRef) string {
	if ref.Namespace == "" || ref.Namespace == rbac.UnknownNamespace {
		return ref.Kind + " " + ref.Name
	}
	return fmt.Sprintf("%s %s/%s", ref.Kind, ref.Namespace, ref.Name)
}

func (a Answer) bindingPlace(b rbac.Binding) string {
	at := b.Object.Position(nil)
	return fmt.Sprintf("%s %s (%s:%d)", b.Object.Kind, b.Object.Name, a.rel(at.File), at.Line)
}

// who describes the identity.
func (a Answer) who() string {
	switch {
	case a.Identity.User != "":
		return a.Identity.User
	case len(a.Identity.Groups) > 0:
		return "the group " + strings.Join(a.Identity.Groups, ", ")
	}
	return "the installer"
}
