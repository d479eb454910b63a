package installer

import (
	"fmt"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// identify determines the identity as which OLM acts.
func (i *Installer) identify(e *loader.Extension, choice Choice) error {
	if choice.Identity != nil {
		i.Identity = *choice.Identity
		return i.checkNamespace()
	}
	if choice.Account != "" {
		return i.account(choice.Account)
	}
	err := i.fromExtension(e)
	if i.Acting == AsOwnAccount {
		return nil // nothing is required of the identity, so it can be unknown
	}
	return err
}

func (i *Installer) fromExtension(e *loader.Extension) error {
	account := e.Account
	switch account.State {
	case olm.Absent, olm.Null:
		switch i.Resolved.Target.Model {
		case olm.Unknown:
			return i.unknown(nil, "the extension %s has no account, and the release is unknown: it is rejected through %s, and OLM's own account "+
				"installs it from %s on", ". Pass --target (see `salint targets`), or the account to check with --service-account",
				i.Extension, olm.RequiredThrough(), olm.IgnoredFrom())
		case olm.Required:
			return i.unknown(nil, "the extension %s has no account, which %s rejects", ". Pass the account to check with --service-account",
				i.Extension, i.Resolved.Target.Name)
		}
		return i.synthetic()
	case olm.Named:
		if account.Name == olm.Placeholder && i.placeholderWorks() {
			if i.Resolved.Synthetic != olm.GateOn {
				i.Condition = fmt.Sprintf("if the gate %s is on", olm.SyntheticGate)
			}
			i.Notes = append(i.Notes, fmt.Sprintf("the account name %s stands for the synthetic identity if the gate %s is on; "+
				"from v1.9 a ServiceAccount of that name must exist anyway", olm.Placeholder, olm.SyntheticGate))
			return i.synthetic()
		}
		return i.account(account.Name)
	case olm.Templated:
		return i.unknown(account.Path, "the account of the extension %s contains a variable that is filled in later", ". Pass it with --service-account", i.Extension)
	}
	return i.unknown(account.Path, "the extension %s has a serviceAccount without a name", ". Pass one with --service-account", i.Extension)
}

// unknown returns an error about a field of the extension.
func (i *Installer) unknown(at manifest.Path, format, hint string, args ...any) error {
	return &UnknownError{Reason: fmt.Sprintf("%s: ", i.From.Position(at)) + fmt.Sprintf(format, args...), Hint: hint}
}

// placeholderWorks reports whether the placeholder can stand for the synthetic identity. It does if the release is unknown,
// because the name is never chosen by accident.
func (i *Installer) placeholderWorks() bool {
	return (i.Runtime.Placeholder || !i.Resolved.Known) && i.Resolved.Synthetic != olm.GateOff
}

func (i *Installer) synthetic() error {
	if i.Resolved.Synthetic == olm.GateOff {
		i.Notes = append(i.Notes, "a signal in the repository indicates that synthetic identities are off")
	}
	i.Identity = rbac.Subject{Kind: rbac.KindUser, Name: olm.User(i.Extension)}.Identity()
	return i.checkNamespace()
}

func (i *Installer) account(name string) error {
	if err := i.checkNamespace(); err != nil {
		return err
	}
	i.Identity = rbac.Account(objects.Account{Namespace: i.Namespace, Name: name}).Identity()
	return nil
}

// checkNamespace returns an error if the namespace is unknown, because objects without one are applied to it.
func (i *Installer) checkNamespace() error {
	switch {
	case i.Acting == AsOwnAccount:
		return nil
	case i.Namespace == "":
		return &UnknownError{"the installation namespace is unknown", ". Pass --namespace"}
	case rbac.Templated(i.Namespace):
		return &UnknownError{fmt.Sprintf("the installation namespace %s contains a variable that is filled in later", i.Namespace), ". Pass --namespace"}
	}
	return nil
}
