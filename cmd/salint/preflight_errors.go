package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/deniedtext"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/answer"
	"github.com/salint/salint/internal/needs/preflight/installer"
)

// askErrors answers what the text of a failed installation says is missing.
func (p *preflighter) askErrors() (answer.Answer, error) {
	data, err := p.errorText()
	if err != nil {
		return answer.Answer{}, err
	}
	report, err := deniedtext.Parse(data)
	if err != nil {
		return answer.Answer{}, fmt.Errorf("--errors %s: %w", p.ctx.String("errors"), err)
	}
	i, err := p.refused(report)
	if err != nil {
		return answer.Answer{}, err
	}
	if i.NotActing != "" {
		i.Notes = append(i.Notes, i.NotActing+": the text is of another release, or of something else that acts as the identity")
		i.NotActing = "" // it did act
	}
	a := p.newAnswer(i)
	a.Target = answer.Target{}
	a.Errors = &answer.Errors{
		Source: p.errorsName(), Unread: report.Unread, Truncated: report.Truncated, Admission: report.Admission,
	}
	for _, o := range report.Owners {
		a.Errors.Owners = append(a.Errors.Owners, answer.Owner(o))
	}
	missing, err := missingOf(report, i)
	if err != nil {
		return a, err
	}
	a.Result.Missing = missing
	if i.Unit != nil {
		in := preflight.Input{Identity: i.Identity, Unit: i.Unit, From: i.From, Namespace: i.Namespace}
		a.Result.Missing = preflight.NotHeld(in, missing)
		a.Errors.Granted = preflight.Without(missing, a.Result.Missing)
	}
	a.Notes = append(a.Notes, errorNotes(report, i, a)...)
	return a, nil
}

// errorNotes say what else there is to know about what a text says.
func errorNotes(report deniedtext.Report, i *installer.Installer, a answer.Answer) []string {
	var notes []string
	for _, role := range report.Unresolved {
		notes = append(notes, fmt.Sprintf("the text says that %s was not found: what it would grant may be missing as well", role))
	}
	notes = append(notes, otherUsers(report, i)...)
	escalates := func(m deniedtext.Missing) bool { return m.Escalation && ofUser(m, i) }
	if len(a.Result.Missing) > 0 && slices.ContainsFunc(report.Missing, escalates) {
		notes = append(notes, "part of it is missing only for what the roles of the bundle grant: escalate on roles and bind on those that are "+
			"bound would do instead, and would let the identity make itself an administrator")
	}
	return notes
}

// ofUser tells whether a refusal is of an installer, or of nobody in particular.
func ofUser(m deniedtext.Missing, i *installer.Installer) bool {
	return m.User == "" || m.User == i.Identity.User
}

// otherUsers names those whose refusals are not part of the answer.
func otherUsers(report deniedtext.Report, i *installer.Installer) []string {
	refusals := map[string]int{}
	for _, m := range report.Missing {
		if !ofUser(m, i) {
			refusals[m.User]++
		}
	}
	var notes []string
	for _, user := range slices.Sorted(maps.Keys(refusals)) {
		what := "1 refusal of %s was not counted: --as %s asks about it"
		if n := refusals[user]; n > 1 {
			what = fmt.Sprint(n) + " refusals of %s were not counted: --as %s asks about them"
		}
		notes = append(notes, fmt.Sprintf(what, user, shellQuote(user)))
	}
	return notes
}

func (p *preflighter) errorsName() string {
	if name := p.ctx.String("errors"); name != "-" {
		return name
	}
	return answer.StandardInput
}

func (p *preflighter) errorText() ([]byte, error) {
	name := p.ctx.String("errors")
	in := p.Stdin
	if name != "-" {
		file, err := os.Open(p.abs(name))
		if err != nil {
			return nil, fmt.Errorf("--errors: %w", err)
		}
		defer file.Close()
		in = file
	}
	data, err := io.ReadAll(io.LimitReader(in, deniedtext.MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("--errors %s: %w", name, err)
	}
	return data, nil
}

// refused tells who was refused: whom the flags name, else whom the text does, else who installs the extension in the
// repository or, last, in the text. Of several in the text, the installer of the extension is meant.
func (p *preflighter) refused(report deniedtext.Report) (*installer.Installer, error) {
	choice, err := p.choice()
	if err != nil {
		return nil, err
	}
	var printed olm.Extension // the one that the text prints
	if len(report.Extensions) == 1 && (choice.Extension == "" || choice.Extension == report.Extensions[0].Name) {
		printed = report.Extensions[0]
		choice.Extension = printed.Name
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
	case len(users) == 0:
		return nil, fmt.Errorf("the text does not say who was refused: %w", errors.Join(notFound, errNobody(notFound)))
	}
	if len(users) > 1 {
		return nil, fmt.Errorf("the text speaks of several users: say which with --as: %s", firstOf(users))
	}
	return p.fromUser(users[0], choice.Identity == nil && printed.Name == "", printed), nil
}

// maxListed is how many names an error lists.
const maxListed = 10

func firstOf(names []string) string {
	if more := len(names) - maxListed; more > 0 {
		names = append(slices.Clone(names[:maxListed]), fmt.Sprintf("and %d more", more))
	}
	return safetext.Text(strings.Join(names, ", "))
}

func errNobody(err error) error {
	if err != nil {
		return nil
	}
	return errors.New("give --as USER")
}

// fromUser makes an installer of a user name alone, and of the extension that the text prints.
func (p *preflighter) fromUser(user string, asRead bool, printed olm.Extension) *installer.Installer {
	i := &installer.Installer{
		Extension: cmp.Or(p.ctx.String("extension"), printed.Name),
		Namespace: cmp.Or(p.ctx.String("namespace"), printed.Namespace),
		Identity:  rbac.Subject{Kind: rbac.KindUser, Name: user}.Identity(),
	}
	if account, ok := objects.ParseUser(user); ok && i.Namespace == "" {
		i.Namespace = account.Namespace
	}
	if name, ok := strings.CutPrefix(user, olm.User("")); ok && i.Extension == "" {
		i.Extension = name
	}
	if asRead {
		i.Notes = p.strange(user)
	}
	return i
}

// strange says that a user is not the installer of any extension of the repository, if there is one.
func (p *preflighter) strange(user string) []string {
	var others []string
	for _, e := range p.world.Extensions() {
		of, err := installer.Of(e)
		switch {
		case err != nil:
			return nil // it may be this one
		case of.NotActing != "":
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
	note := fmt.Sprintf("%s is not who installs an extension of the repository: that is %s", user, firstOf(slices.Compact(others)))
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

// missingOf gives what was refused to an installer, or to nobody in particular.
func missingOf(report deniedtext.Report, i *installer.Installer) ([]preflight.Scoped, error) {
	var all []preflight.Scoped
	for _, m := range report.InNamespace(i.Namespace) {
		if !ofUser(m, i) {
			continue
		}
		all = append(all, preflight.Scoped{Namespace: m.Namespace, Rules: []rbacv1.PolicyRule{m.Rule}})
	}
	unplaced := func(m deniedtext.Missing) bool { return m.Namespace == rbac.UnknownNamespace && ofUser(m, i) }
	if i.Namespace == "" && slices.ContainsFunc(report.Missing, unplaced) {
		return nil, errors.New("the text does not tell in which namespace a role or binding was refused: give --namespace")
	}
	return preflight.Compact(all), nil
}
