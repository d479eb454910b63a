package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/forbidden"
	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/olm"
	"github.com/salint/salint/internal/preflight"
	"github.com/salint/salint/internal/preflight/answer"
	"github.com/salint/salint/internal/preflight/installer"
	"github.com/salint/salint/internal/rbac"
)

// askErrors answers what the text of a failed installation says is missing.
func (p *preflighter) askErrors() (answer.Answer, error) {
	data, err := p.errorText()
	if err != nil {
		return answer.Answer{}, err
	}
	report, err := forbidden.Parse(data)
	if err != nil {
		return answer.Answer{}, fmt.Errorf("--errors %s: %w", p.ctx.String("errors"), err)
	}
	i, err := p.refused(report)
	if err != nil {
		return answer.Answer{}, err
	}
	i.NotActing = "" // it did act
	a := p.newAnswer(i)
	a.Target = answer.Target{}
	a.Errors = &answer.Errors{Source: p.errorsName(), Unread: report.Unread, Truncated: report.Truncated}
	for _, role := range report.Unresolved {
		a.Notes = append(a.Notes, fmt.Sprintf("the text says that %s was not found: what it would grant may be missing as well", role))
	}
	if a.Result.Missing, err = missingOf(report, i); err != nil {
		return a, err
	}
	if slices.ContainsFunc(report.Missing, func(m forbidden.Missing) bool { return m.Escalation }) {
		a.Notes = append(a.Notes, "part of it is missing only for what the roles of the bundle grant: escalate on roles and bind on those that are "+
			"bound would do instead, and would let the identity make itself an administrator")
	}
	if i.Unit != nil {
		a.Notes = append(a.Notes, grantedAlready(i, a.Result.Missing)...)
	}
	return a, nil
}

func (p *preflighter) errorsName() string {
	if name := p.ctx.String("errors"); name != "-" {
		return name
	}
	return "standard input"
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
	data, err := io.ReadAll(io.LimitReader(in, forbidden.MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("--errors %s: %w", name, err)
	}
	return data, nil
}

// refused tells who was refused: whom the flags name, else whom the text does, else who installs the extension in the
// repository. Of several in the text, the installer of the extension is meant.
func (p *preflighter) refused(report forbidden.Report) (*installer.Installer, error) {
	choice, err := p.choice()
	if err != nil {
		return nil, err
	}
	users := usersOf(report)
	i, notFound := installer.Find(p.world, choice)
	found := notFound == nil && i.Identity.User != ""
	switch {
	case found && (choice.Identity != nil || choice.Account != "" || len(users) == 0 || slices.Contains(users, i.Identity.User)):
		return i, nil
	case choice.Identity != nil:
		users = []string{choice.Identity.User}
	case len(users) == 0:
		return nil, fmt.Errorf("the text does not say who was refused: %w", errors.Join(notFound, errNobody(notFound)))
	}
	if len(users) > 1 {
		return nil, fmt.Errorf("the text speaks of several users: say which with --as: %s", strings.Join(users, ", "))
	}
	return p.fromUser(users[0], found, i), nil
}

func errNobody(err error) error {
	if err != nil {
		return nil
	}
	return errors.New("give --as USER")
}

// fromUser makes an installer of a user name alone.
func (p *preflighter) fromUser(user string, found bool, other *installer.Installer) *installer.Installer {
	i := &installer.Installer{
		Extension: p.ctx.String("extension"), Namespace: p.ctx.String("namespace"),
		Identity: rbac.Subject{Kind: rbac.KindUser, Name: user}.Identity(),
	}
	if account, ok := inventory.ParseUser(user); ok && i.Namespace == "" {
		i.Namespace = account.Namespace
	}
	if name, ok := strings.CutPrefix(user, olm.User("")); ok && i.Extension == "" {
		i.Extension = name
	}
	if found {
		i.Notes = []string{fmt.Sprintf("in the repository %s is installed by %s", other.Extension, other.Identity.User)}
	}
	return i
}

func usersOf(report forbidden.Report) []string {
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
func missingOf(report forbidden.Report, i *installer.Installer) ([]preflight.Scoped, error) {
	var all []preflight.Scoped
	for _, m := range report.InNamespace(i.Namespace) {
		if m.User != "" && m.User != i.Identity.User {
			continue
		}
		all = append(all, preflight.Scoped{Namespace: m.Namespace, Rules: []rbacv1.PolicyRule{m.Rule}})
	}
	if i.Namespace == "" && slices.ContainsFunc(report.Missing, func(m forbidden.Missing) bool { return m.Namespace == rbac.UnknownNamespace }) {
		return nil, errors.New("the text does not tell in which namespace a role or binding was refused: give --namespace")
	}
	return preflight.Compact(all), nil
}

// grantedAlready says that the repository is ahead of the cluster.
func grantedAlready(i *installer.Installer, missing []preflight.Scoped) []string {
	left := preflight.NotHeld(preflight.Input{Identity: i.Identity, Unit: i.Unit, From: i.From, Namespace: i.Namespace}, missing)
	switch {
	case len(missing) == 0:
		return nil
	case len(left) == 0:
		return []string{"the repository grants all of it: what it holds has not been applied, or not all of it"}
	}
	total, open := 0, 0
	for _, s := range missing {
		total += len(s.Rules)
	}
	for _, s := range left {
		open += len(s.Rules)
	}
	if open >= total {
		return nil
	}
	return []string{fmt.Sprintf("the repository grants part of it, and %d of %d rules are left: what it holds has not been applied, or not all of it",
		open, total)}
}
