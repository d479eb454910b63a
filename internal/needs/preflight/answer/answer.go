package answer

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/preflight"
)

// Answer is what is to be printed.
type Answer struct {
	// Extension is the extension's name, and Namespace the one it is installed in; "" where they are not known, as for
	// errors that do not name them.
	Extension, Namespace string
	Identity             rbac.Identity
	// Target says for which release it was asked, and how that is known.
	Target Target
	// Content says what would be installed, as in "bundles/harbor, 24 objects".
	Content string
	// Unit holds the repository's roles and bindings, From is the extension, and Bindings are those that reach the identity.
	// The unit and the extension may be nil.
	Unit     *objects.Unit
	From     *objects.Object
	Bindings []rbac.Binding
	// Escalation is the way that was chosen to be allowed to create roles.
	Escalation preflight.Escalation
	Result     preflight.Result
	// All asks for all that is needed in place of what is missing.
	All bool
	// Condition is what the identity depends on, as in "if the gate is on"; "" for nothing that is not known.
	Condition string
	// NotActing says why nothing is needed: OLM acts as somebody else than the identity. It is "" where it does not.
	NotActing string
	// Notes are what else is to be known, a sentence each.
	Notes []string
	// Errors is set when the permissions were read out of an error text.
	Errors *Errors
	// Again is the command line that gave the answer, without its format.
	Again string
	// Verbose lists everything, however long.
	Verbose bool
	// Rel calls a file of the repository as from the working directory; nil leaves it as it is.
	Rel func(file string) string
}

// Target is a release.
type Target struct {
	Name, Model, Runtime string
	// DetectedFrom is the place of the sign that decided, "" when the target was asked for or is not known.
	DetectedFrom string
	Known        bool
}

// Errors is what an error text did not tell.
type Errors struct {
	// Source is where the text is from.
	Source string
	// Unread are parts that look like errors about permissions and could not be read.
	Unread []string
	// Truncated tells that the text was cut off.
	Truncated bool
	// Granted is what the text says is missing and the repository grants; it is not in Result.Missing.
	Granted []preflight.Scoped
	// Owners are refusals of a permission on an owner that the text does not name.
	Owners []Owner
	// Admission are sentences about requests that were allowed, and refused for other reasons.
	Admission []string
}

// Owner is a permission that is missing on the owner of an object: a verb, on a subresource unless that is "".
type Owner struct{ Object, Verb, Subresource string }

// missing is the permission in words.
func (o Owner) missing() string {
	if o.Subresource == "" {
		return o.Verb + " on its owner"
	}
	return fmt.Sprintf("%s on the %s of its owner", o.Verb, o.Subresource)
}

// Formats lists the names of the formats.
func Formats() []string { return []string{"text", "json", "yaml"} }

// CheckFormat says of a name that it is not one of them.
func CheckFormat(name string) error {
	if slices.Contains(Formats(), name) {
		return nil
	}
	return fmt.Errorf("%q is not a format of this command: use text, json or yaml", name)
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
	}
	_, err := io.WriteString(w, a.text())
	return err
}

// Missing tells whether anything is, on the cluster where an error text is from, or by what the repository grants.
func (a Answer) Missing() bool {
	return len(a.Result.Missing) > 0 || a.Errors != nil && len(a.Errors.Granted)+len(a.Errors.Owners) > 0
}

// notes are those of the answer, and those that follow from it.
func (a Answer) notes() []string {
	notes := slices.Clone(a.Notes)
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	effective := a.Result.Effective
	for _, ref := range effective.Unknown {
		add("%s is granted to the identity, and its rules are not known, for it is not in the repository or cannot be read: "+
			"what is missing may be in it", roleName(ref))
	}
	for _, ref := range effective.Partial {
		add("%s is granted to the identity, and roles outside of the repository may add to it", roleName(ref))
	}
	for _, b := range effective.Uncertain {
		if b.Refused != "" {
			add("%s was counted, although the API server refuses it for %s", a.bindingPlace(b), b.Refused)
			continue
		}
		add("%s was counted, although it cannot be said whether it reaches the identity, or in which namespace", a.bindingPlace(b))
	}
	for _, ref := range a.referred(func(n preflight.Need) bool { return n.Unknown }) {
		add("%s is bound by what is installed, and is neither in it nor in the repository: its rules are not known, "+
			"and only bind on it is sure to be enough", roleName(ref))
	}
	for _, ref := range a.referred(func(n preflight.Need) bool { return n.Partial }) {
		add("%s is bound by what is installed, and roles outside of the repository may add to it: then more is missing, "+
			"unless bind on it is granted", roleName(ref))
	}
	if who := a.powers(); who != "" {
		notes = append(notes, who)
	}
	if a.Errors != nil && a.Errors.Truncated {
		notes = append(notes, "the text was cut off by the controller: there is more than it says; run salint preflight with --bundle for all of it")
	}
	return notes
}

// powers says that the identity comes to hold permissions by which it can give itself all others.
func (a Answer) powers() string {
	granted := a.Result.Missing
	if a.All {
		granted = a.Result.Needed
	}
	found := preflight.Powers(granted)
	if len(found) == 0 {
		return ""
	}
	if a.Escalation == preflight.Verbs && a.Errors == nil {
		return fmt.Sprintf("whoever holds what is missing can make itself an administrator (%s): --escalation hold lists what to hold instead",
			strings.Join(found, ", "))
	}
	return fmt.Sprintf("whoever holds what is missing can make itself an administrator (%s): what is installed asks for it, and its installer "+
		"cannot be less powerful", strings.Join(found, ", "))
}

// referred lists the roles of those needs that are asked for, each once.
func (a Answer) referred(wanted func(preflight.Need) bool) []rbac.RoleRef {
	var refs []rbac.RoleRef
	for _, gap := range a.Result.Gaps {
		if wanted(gap.Need) && !slices.Contains(refs, gap.Role) {
			refs = append(refs, gap.Role)
		}
	}
	return refs
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

// who is how the identity is called.
func (a Answer) who() string {
	switch {
	case a.Identity.User != "":
		return a.Identity.User
	case len(a.Identity.Groups) > 0:
		return "the group " + strings.Join(a.Identity.Groups, ", ")
	}
	return "whoever installs it"
}
