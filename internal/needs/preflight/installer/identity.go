package installer

import (
	"fmt"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// identify tells as whom OLM acts.
func (i *Installer) identify(e *loader.Extension, choice Choice) error {
	if choice.Identity != nil {
		i.Identity = *choice.Identity
		return i.checkNamespace()
	}
	if choice.Account != "" {
		return i.account(choice.Account)
	}
	err := i.fromExtension(e)
	if i.NotActing != "" {
		return nil // nobody is asked, so whoever it is need not be known
	}
	return err
}

func (i *Installer) fromExtension(e *loader.Extension) error {
	account := e.Account
	switch account.State {
	case olm.Absent, olm.Null:
		if i.Resolved.Target.Model == olm.Required {
			return i.unknown(nil, "the extension %s names no account, which %s rejects", "; say whose permissions to look at with --service-account",
				i.Extension, i.Resolved.Target.Name)
		}
		return i.synthetic()
	case olm.Named:
		if account.Name == olm.Placeholder && i.placeholderWorks() {
			if i.Resolved.Synthetic != olm.GateOn {
				i.Condition = fmt.Sprintf("if the gate %s is on", olm.SyntheticGate)
			}
			i.Notes = append(i.Notes, fmt.Sprintf("the account name %s stands for the synthetic identity where the gate %s is on; "+
				"from v1.9 a ServiceAccount of that name has to exist nevertheless", olm.Placeholder, olm.SyntheticGate))
			return i.synthetic()
		}
		return i.account(account.Name)
	case olm.Templated:
		return i.unknown(account.Path, "the account of the extension %s is filled in later", ": name it with --service-account", i.Extension)
	}
	return i.unknown(account.Path, "the extension %s has a serviceAccount without a name", ": name one with --service-account", i.Extension)
}

// unknown is an error about a field of the extension.
func (i *Installer) unknown(at manifest.Path, format, hint string, args ...any) error {
	return &UnknownError{Reason: fmt.Sprintf("%s: ", i.From.Position(at)) + fmt.Sprintf(format, args...), Hint: hint}
}

// placeholderWorks tells whether the placeholder may mean the synthetic identity. Nobody calls an account like that
// without meaning it, so where the release is not known it does.
func (i *Installer) placeholderWorks() bool {
	return (i.Runtime.Placeholder || !i.Resolved.Known) && i.Resolved.Synthetic != olm.GateOff
}

func (i *Installer) synthetic() error {
	if i.Resolved.Synthetic == olm.GateOff {
		i.Notes = append(i.Notes, "a sign in the repository says that synthetic identities are off")
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

// checkNamespace makes sure that the namespace is known: what has none goes there.
func (i *Installer) checkNamespace() error {
	switch {
	case i.NotActing != "":
		return nil
	case i.Namespace == "":
		return &UnknownError{"the namespace to install into is not known", ": give --namespace"}
	case rbac.Templated(i.Namespace):
		return &UnknownError{fmt.Sprintf("the namespace to install into, %s, is filled in later", i.Namespace), ": give --namespace"}
	}
	return nil
}
