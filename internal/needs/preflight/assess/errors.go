package assess

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/shell"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/restmap"
	"github.com/salint/salint/internal/needs/deniedtext"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/answer"
	"github.com/salint/salint/internal/needs/preflight/installer"
)

// askErrors returns what is missing according to the error text of a failed installation: an answer for each user in the
// text, that of the extension's installer first, or only for the one that the flags select.
func (p *assessment) askErrors() ([]answer.Answer, error) {
	data, err := p.errorText()
	if err != nil {
		return nil, err
	}
	report, err := deniedtext.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("--errors %s: %w", p.options.Errors, err)
	}
	i, err := p.refused(report)
	if err != nil {
		return nil, err
	}
	asked := []*installer.Installer{i}
	if !p.selectsInstaller() {
		asked = append(asked, p.others(report, i)...)
	}
	var answers []answer.Answer
	for n, i := range asked {
		a, err := p.answerErrors(report, i)
		if err != nil {
			return nil, err
		}
		if len(asked) > 1 {
			a.Command += " --as " + shell.Quote(i.Identity.User)
			a.OfUser = true
		}
		if n > 0 {
			// What is not about a user was said in the first answer.
			a.Errors.Unread, a.Errors.Admission, a.Errors.Owners, a.Errors.Accounts, a.Errors.Fields, a.Errors.Truncated = nil, nil, nil, nil, nil, false
		}
		answers = append(answers, a)
	}
	return answers, nil
}

// selectsInstaller returns whether the flags select the installer.
func (p *assessment) selectsInstaller() bool {
	return p.options.Identity != nil || p.options.ServiceAccount != ""
}

// others returns the other users of the text.
func (p *assessment) others(report deniedtext.Report, first *installer.Installer) []*installer.Installer {
	var all []*installer.Installer
	for _, user := range usersOf(report) {
		if user != first.Identity.User {
			other := p.fromUser(user, true, olm.Extension{})
			if other.Extension == first.Extension {
				other.Extension = "" // the manifests of the first have its name
			}
			all = append(all, other)
		}
	}
	return all
}

// answerErrors returns what was refused to an installer.
func (p *assessment) answerErrors(report deniedtext.Report, i *installer.Installer) (answer.Answer, error) {
	contradicted := i.Reason != ""
	if contradicted {
		i.Notes = append(i.Notes, i.Reason+": the text is from another release, or from another program that uses the identity")
		i.Acting, i.Reason = installer.AsIdentity, "" // as the text shows
	}
	a := p.newAnswer(i)
	target := a.Target.Name
	a.Target = answer.Target{}
	a.Errors = &answer.Errors{
		Source: p.errorsName(), Unread: report.Unread, Truncated: report.Truncated, Admission: report.Admission, Accounts: report.Accounts,
		OfOLM: ofOLM(report), Complete: listsAll(report),
	}
	if contradicted {
		a.Errors.Contradicted = target
	}
	for _, m := range report.Fields {
		a.Errors.Fields = append(a.Errors.Fields, answer.Explain(m, p.targetOf(i.Extension), i.Extension))
	}
	for _, o := range report.Owners {
		a.Errors.Owners = append(a.Errors.Owners, answer.Owner(o))
	}
	missing, err := p.missingOf(report, i)
	if err != nil {
		return a, err
	}
	a.Result.Missing = missing
	if unit, from := i.Grants(); unit != nil {
		in := preflight.Input{Identity: i.Identity, Unit: p.scope(unit), From: from, Namespace: i.Namespace}
		a.Result.Missing = preflight.NotHeld(in, missing)
		a.Errors.Granted = preflight.Without(missing, a.Result.Missing)
	}
	a.Notes = append(a.Notes, p.errorNotes(report, i, a)...)
	p.explainOwn(&a)
	return a, nil
}

// listsAll reports whether a pre-authorization lists all that is missing: it evaluates every permission, and a refusal only the first.
// One that could not evaluate some says so, and its list may be incomplete (operator-controller v1.10, authorization/rbac.go).
func listsAll(report deniedtext.Report) bool {
	return len(report.Missing) > 0 && !report.Truncated && len(report.Unread)+len(report.Unresolved)+len(report.Owners) == 0 && !report.Incomplete &&
		!slices.ContainsFunc(report.Missing, func(m deniedtext.Missing) bool { return !m.Listed })
}

// ofOLM reports whether only OLM writes such a text: the list of a pre-authorization, an extension, or words about its account.
func ofOLM(report deniedtext.Report) bool {
	return len(report.Extensions)+len(report.Fields) > 0 || slices.ContainsFunc(report.Missing, func(m deniedtext.Missing) bool { return m.Listed })
}

// errorNotes returns remarks about an error text.
func (p *assessment) errorNotes(report deniedtext.Report, i *installer.Installer, a answer.Answer) []string {
	var notes []string
	for _, role := range report.Unresolved {
		notes = append(notes, fmt.Sprintf("according to the text, %s was not found: its permissions may be missing too", role))
	}
	if slices.ContainsFunc(a.Result.Missing, isEscalate) && slices.ContainsFunc(report.Missing, func(m deniedtext.Missing) bool { return m.Aggregation }) {
		notes = append(notes, "a ClusterRole with an aggregationRule can gather any permission, so the API server requires escalate on ClusterRoles, or every permission: "+
			"both allow the identity to become an administrator")
	}
	if p.selectsInstaller() {
		notes = append(notes, otherUsers(report, i)...)
	}
	escalates := func(m deniedtext.Missing) bool { return m.Escalation && ofUser(m, i) }
	if len(a.Result.Missing) > 0 && slices.ContainsFunc(report.Missing, escalates) {
		notes = append(notes, "some of it is missing only because of what the roles of the bundle grant: escalate on roles and bind on those that are "+
			"bound would be enough instead, but would allow the identity to become an administrator")
	}
	return notes
}

func isEscalate(s preflight.Scoped) bool {
	return slices.ContainsFunc(s.Rules, func(r rbacv1.PolicyRule) bool { return slices.Contains(r.Verbs, "escalate") })
}

// ofUser returns whether a refusal is of an installer, or of an unknown user.
func ofUser(m deniedtext.Missing, i *installer.Installer) bool {
	return m.User == "" || m.User == i.Identity.User
}

// otherUsers returns notes about users whose refusals are not part of the answer.
func otherUsers(report deniedtext.Report, i *installer.Installer) []string {
	refusals := map[string]int{}
	for _, m := range report.Missing {
		if !ofUser(m, i) {
			refusals[m.User]++
		}
	}
	var notes []string
	for _, user := range slices.Sorted(maps.Keys(refusals)) {
		what := "1 refusal of %s was not counted: use --as %s to ask about it"
		if n := refusals[user]; n > 1 {
			what = fmt.Sprint(n) + " refusals of %s were not counted: use --as %s to ask about them"
		}
		notes = append(notes, fmt.Sprintf(what, user, shell.Quote(user)))
	}
	return notes
}

func (p *assessment) errorsName() string {
	if name := p.options.Errors; name != "-" {
		return name
	}
	return answer.StandardInput
}

func (p *assessment) errorText() ([]byte, error) {
	name := p.options.Errors
	if name != "-" {
		data, err := p.at.ReadNamed(name, deniedtext.MaxSize)
		if err != nil {
			return nil, fmt.Errorf("--errors: %w", err)
		}
		return data, nil
	}
	data, err := io.ReadAll(io.LimitReader(p.options.Stdin, deniedtext.MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("--errors %s: %w", name, err)
	}
	return data, nil
}

// refused returns the installer that was refused. It is set by the flags, or otherwise by the text; if neither names it, it
// is the installer of the extension in the repository, or of the extension that the text prints. If the text names several
// users, the installer of the extension is used.
func (p *assessment) refused(report deniedtext.Report) (*installer.Installer, error) {
	choice := p.choice()
	var printed olm.Extension // the one that the text prints
	if len(report.Extensions) == 1 && (choice.Extension == "" || choice.Extension == report.Extensions[0].Name) {
		printed = report.Extensions[0]
		choice.Extension = printed.Name
	}
	if report.OnlyFields() {
		return p.ofMessages(report), nil
	}
	users := usersOf(report)
	i, notFound := installer.Find(p.world, choice)
	found := notFound == nil && i.Identity.User != ""
	switch {
	case found && (choice.Identity != nil || choice.Account != "" || len(users) == 0 || slices.Contains(users, i.Identity.User)):
		return i, nil
	case choice.Identity != nil:
		users = []string{choice.Identity.User}
	case len(users) == 0 && printed.Account.State == olm.Named && printed.Namespace != "":
		users = []string{objects.Account{Namespace: printed.Namespace, Name: printed.Account.Name}.User()}
	case !report.IsAboutIdentity():
		return p.ofMessages(report), nil
	case len(users) == 0:
		return nil, fmt.Errorf("the text does not name the refused user: %w", errors.Join(notFound, errNobody(notFound)))
	}
	return p.fromUser(users[0], choice.Identity == nil && printed.Name == "", printed), nil
}

// targetOf returns the target of an extension; nil if it is unknown.
func (p *assessment) targetOf(name string) *olm.Target {
	if asked := p.at.Requested.Common(); asked != nil {
		return asked
	}
	for _, e := range p.world.Extensions() {
		if e.Name == name && e.Resolved.Known {
			return &e.Resolved.Target
		}
	}
	return nil
}

// ofMessages returns an installer that is only the extension which a text without refused permissions is about. If the text does not
// name it, it is the only one of the repository.
func (p *assessment) ofMessages(report deniedtext.Report) *installer.Installer {
	name := p.options.Extension
	for _, m := range report.Fields {
		name = cmp.Or(name, m.Extension)
	}
	if all := p.world.Extensions(); name == "" && len(report.Fields) > 0 && len(all) == 1 {
		name = all[0].Name
	}
	return &installer.Installer{Extension: name}
}

// maxListed is the maximum number of names in an error.
const maxListed = 10

func firstOf(names []string) string { return safetext.Text(words.First(maxListed, names)) }

func errNobody(err error) error {
	if err != nil {
		return nil
	}
	return errors.New("give --as USER")
}

// fromUser returns an installer for a user name and the extension that the text prints.
func (p *assessment) fromUser(user string, asRead bool, printed olm.Extension) *installer.Installer {
	i := &installer.Installer{
		Extension: cmp.Or(p.options.Extension, printed.Name),
		Namespace: cmp.Or(p.options.Namespace, printed.Namespace),
		Identity:  rbac.Subject{Kind: rbac.KindUser, Name: user}.Identity(),
	}
	if account, ok := objects.ParseUser(user); ok && i.Namespace == "" {
		i.Namespace = account.Namespace
	}
	if name, ok := strings.CutPrefix(user, olm.User("")); ok && i.Extension == "" {
		i.Extension = name
	}
	if asRead {
		i.Notes = p.notInstaller(user)
	}
	return i
}

// notInstaller returns a note if a user does not install any of the extensions in the repository.
func (p *assessment) notInstaller(user string) []string {
	var others []string
	for _, e := range p.world.Extensions() {
		of, err := installer.Of(e, p.world.Units)
		switch {
		case err != nil:
			return nil // it could be this one
		case of.Acting == installer.AsOwnAccount:
			others = append(others, fmt.Sprintf("OLM's own account (%s)", of.Extension))
			continue
		case of.Identity.User == user:
			return nil
		}
		others = append(others, fmt.Sprintf("%s (%s)", of.Identity.User, of.Extension))
	}
	if len(others) == 0 {
		return nil
	}
	slices.Sort(others)
	if ofOLM, _ := p.ownAccount(user); ofOLM {
		return nil // it is explained
	}
	note := fmt.Sprintf("%s does not install an extension of the repository; the installer is %s", user, firstOf(slices.Compact(others)))
	if _, account := objects.ParseUser(user); account {
		note += "; if it is the operator's own account, its permissions come from the bundle, not from the installer's roles"
	}
	return []string{note}
}

func usersOf(report deniedtext.Report) []string {
	var users []string
	for _, m := range report.Missing {
		if m.User != "" {
			users = append(users, m.User)
		}
	}
	slices.Sort(users)
	return slices.Compact(users)
}

// missingOf returns what was refused to an installer, or to an unknown user.
func (p *assessment) missingOf(report deniedtext.Report, i *installer.Installer) ([]preflight.Scoped, error) {
	var all []preflight.Scoped
	resources := preflight.ResourcesOf(p.wholeRepository())
	for _, m := range report.InNamespace(i.Namespace) {
		if !ofUser(m, i) {
			continue
		}
		all = append(all, placedAtCluster(resources, m))
	}
	unplaced := func(m deniedtext.Missing) bool { return m.Namespace == rbac.UnknownNamespace && ofUser(m, i) }
	if i.Namespace == "" && slices.ContainsFunc(report.Missing, unplaced) {
		return nil, errors.New("the text does not contain the namespace of a refused role or binding: set --namespace")
	}
	return preflight.Compact(all), nil
}

// wholeRepository returns a unit with all objects, for the definitions of kinds among them.
func (p *assessment) wholeRepository() *objects.Unit { return &objects.Unit{Objects: p.world.Objects} }

// placedAtCluster returns a refused permission where it can be granted: a Role grants nothing on a cluster-scoped kind,
// although a client can ask for one in a namespace, which is then in the text. Namespaces are an exception, and named like
// the namespace.
func placedAtCluster(resources *restmap.Map, m deniedtext.Missing) preflight.Scoped {
	s := preflight.Scoped{Namespace: m.Namespace, Rules: []rbacv1.PolicyRule{m.Rule}}
	if m.Namespace == "" || len(m.Rule.Resources) != 1 || len(m.Rule.APIGroups) != 1 {
		return s
	}
	plural, _, _ := strings.Cut(m.Rule.Resources[0], "/")
	resource, known := resources.Argument(plural + "." + m.Rule.APIGroups[0])
	if !known || resource.Namespaced || resource.Plural != plural || resource.Group != m.Rule.APIGroups[0] {
		return s
	}
	if plural == "namespaces" && len(m.Rule.ResourceNames) == 0 && m.Namespace != rbac.UnknownNamespace && !slices.Contains(m.Rule.Verbs, "create") {
		s.Rules[0].ResourceNames = []string{m.Namespace}
	}
	s.Namespace = ""
	return s
}
