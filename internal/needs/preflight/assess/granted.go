package assess

import (
	"fmt"
	"io"
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/answer"
	"github.com/salint/salint/internal/needs/preflight/installer"
)

// maxGranted limits the size of a list of permissions.
const maxGranted = 8 << 20

// readGranted reads the file of --granted, if it is set.
func (p *assessment) readGranted() error {
	name := p.options.Granted
	if name == "" {
		return nil
	}
	data, err := p.readInput(name)
	if err != nil {
		return fmt.Errorf("--granted: %w", err)
	}
	granted, err := preflight.ParseGranted(data)
	if err != nil {
		return fmt.Errorf("--granted %s: %w", name, err)
	}
	p.holds = &granted
	return nil
}

// grantedName is the name of the list in the answer.
func (p *assessment) grantedName() string {
	if name := p.options.Granted; name != "-" {
		return name
	}
	return answer.StandardInput
}

func (p *assessment) readInput(name string) ([]byte, error) {
	if name != "-" {
		return p.at.ReadNamed(name, maxGranted)
	}
	data, err := io.ReadAll(io.LimitReader(p.options.Stdin, maxGranted+1))
	if err == nil && len(data) > maxGranted {
		err = fmt.Errorf("standard input is larger than %d MiB", maxGranted>>20)
	}
	return data, err
}

// grantedNotes returns what a list of permissions does not say.
func (p *assessment) grantedNotes() []string {
	where := "in one namespace that it does not name"
	if p.holds.Namespace != "" {
		where = "in namespace " + p.holds.Namespace
	}
	notes := []string{
		fmt.Sprintf("the list has the permissions %s, of the identity that made it, at that time", where),
		"the list does not show which permissions hold in other namespaces, so all were counted everywhere: more can be missing there",
	}
	if p.holds.Incomplete {
		notes = append(notes, "the cluster reports that the list may be incomplete, so less may be missing")
	}
	return notes
}

// missesAccount returns whether the repository was read completely and has no account for an identity.
func (p *assessment) missesAccount(i *installer.Installer) bool {
	account, ok := objects.ParseUser(i.Identity.User)
	if !ok || account.Name == "default" || i.Unit != nil && len(p.world.Problems(i.Unit)) > 0 {
		return false
	}
	is := func(o *objects.Object) bool {
		return o.Kind == rbac.KindServiceAccount && (o.Name == account.Name || rbac.Templated(o.Name)) &&
			(o.Namespace == "" || o.Namespace == account.Namespace || rbac.Templated(o.Namespace))
	}
	if slices.ContainsFunc(p.world.Objects, is) {
		return false
	}
	return !slices.ContainsFunc(p.world.Units, func(u *objects.Unit) bool { return slices.ContainsFunc(u.Objects, is) })
}

// accountNeeded sets whether the manifests include the account: not if the list of a cluster shows that it exists, and not
// OLM's own, which comes with OLM.
func (p *assessment) accountNeeded(a *answer.Answer, i *installer.Installer) {
	a.CreateAccount = p.holds == nil && i.Acting != installer.AsLimitedAccount && p.missesAccount(i)
}
