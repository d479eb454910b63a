package assess

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/bundle"
	"github.com/salint/salint/internal/kube/crdsafety"
	"github.com/salint/salint/internal/needs/contents"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/answer"
	"github.com/salint/salint/internal/needs/preflight/installer"
	"github.com/salint/salint/internal/render/content"
)

// askBundle returns what installing a bundle needs.
func (p *assessment) askBundle(ctx context.Context) (answer.Answer, error) {
	choice := p.choice()
	i, err := installer.Find(p.world, choice)
	if err != nil {
		return answer.Answer{}, err
	}
	if choice.Identity == nil {
		i.LimitToHonoring()
	}
	if i.Acting == installer.AsOther {
		i.Notes = append(i.Notes, fmt.Sprintf("%s, and not as %s: the answer is what %s could install by itself", i.Reason, i.Identity.User, i.Identity.User))
	}
	a := p.newAnswer(i)
	dir, err := p.bundleDir(i.Extension)
	if err != nil {
		return a, err
	}
	if a.NothingNeeded {
		a.Content = dir
		if _, err := os.Stat(p.at.Abs(dir)); err != nil {
			return a, contents.NoFolder(dir)
		}
		loaded, err := p.load(ctx, i, dir)
		if refused := new(bundle.UnsupportedError); errors.As(err, &refused) {
			return a, err
		}
		if err != nil { // nothing else depends on it
			return a, nil
		}
		a.Notes = append(a.Notes, p.contentNotes(i, loaded, dir)...)
		_, err = p.replaced(ctx, i, loaded, &a)
		return a, err
	}
	in, loaded, err := p.input(ctx, i, dir, &a)
	if err != nil {
		return a, err
	}
	a.Notes = append(a.Notes, p.contentNotes(i, loaded, dir)...)
	a.Notes = append(a.Notes, p.sharedNote(i)...)
	a.Notes = append(a.Notes, p.revisionNote(in.Finalizers)...)
	in.Note = func(text string) { a.Notes = withNote(a.Notes, text) }
	if a.Result, err = preflight.Check(in); err != nil {
		return a, err
	}
	if err := p.askPreAuthorizer(&a, i, in); err != nil {
		return a, err
	}
	a.Notes = append(a.Notes, nameNote(loaded, a.Wanted())...)
	p.podAccounts(&a, in)
	if p.holds == nil {
		a.Notes = append(a.Notes, p.elsewhere(&a)...)
	}
	p.accountNeeded(&a, i)
	return a, nil
}

// bundleDir returns the folder of the bundle to install, relative to the working directory.
func (p *assessment) bundleDir(extension string) (string, error) {
	if dir := p.options.Bundle; dir != "" {
		return dir, nil
	}
	if dir := p.at.Config.Bundles[extension]; dir != "" {
		return p.contents.BundlePath(dir), nil
	}
	return "", fmt.Errorf("no bundle to install: set --bundle DIR, or bundles: {%s: DIR} in .salint.yaml; --errors FILE reads the error text of "+
		"a failed installation instead", extension)
}

// input returns the input of the check, and describes it in the answer.
func (p *assessment) input(ctx context.Context, i *installer.Installer, dir string, a *answer.Answer) (preflight.Input, *content.Content, error) {
	unit, from := i.Grants()
	in := preflight.Input{
		Extension: i.Extension, Namespace: i.Namespace, Identity: i.Identity, Unit: p.scope(unit), From: from,
		Escalation: p.options.Escalation, Granted: p.holds,
	}
	loaded, err := p.load(ctx, i, dir)
	if err != nil {
		return in, nil, err
	}
	in.Objects, a.Notes = loaded.Objects, append(a.Notes, loaded.Notes...)
	a.Content = describe(dir, loaded) + ", into namespace " + i.Namespace
	revision := 1
	old, err := p.replaced(ctx, i, loaded, a)
	if err != nil {
		return in, nil, err
	}
	if old != nil {
		in.Old, revision = old.Objects, 2
	}
	a.Notes = append(a.Notes, p.bundleNotes(i, loaded)...)
	in.CollectionVerbs = p.collectionVerbs(i)
	in.Finalizers = p.finalizers(i, revision)
	in.Resources = preflight.ResourcesOf(i.Unit, in.Objects, in.Old)
	return in, loaded, p.contents.Define(ctx, in.Resources, slices.Concat(in.Objects, in.Old)...)
}

// replaced reads the installed version that the options name, nil if they name none, and adds to the answer what the release does with an
// upgrade from it.
func (p *assessment) replaced(ctx context.Context, i *installer.Installer, loaded *content.Content, a *answer.Answer) (*content.Content, error) {
	from := p.options.From
	if from == "" {
		return nil, nil
	}
	installed := *p.contents
	installed.Anyway = true // it is installed, in its own install mode
	old, err := installed.Load(ctx, i, from, p.serviceCA(i))
	if err != nil {
		return nil, err
	}
	a.Notes = append(a.Notes, old.Notes...)
	a.Notes = append(a.Notes, contents.OtherPackage(old, loaded)...)
	a.Content += "; replacing " + describe(from, old)
	if !isBundle(old) || !isBundle(loaded) {
		return old, nil
	}
	a.Definitions = crdsafety.Check(i.Support(), i.Runtime.Name, old.Objects, loaded.Objects)
	if !i.ChecksDefinitions() && (len(a.Definitions.Blocked) > 0 || a.Definitions.NotCompared) {
		a.Definitions = a.Definitions.WithoutCheck()
		a.Notes = append(a.Notes, crdsafety.NotChecked)
	}
	a.Notes = append(a.Notes, a.Definitions.Notes(i.Support().String())...)
	return old, nil
}

func describe(dir string, c *content.Content) string {
	name := c.Name
	if c.Version != "" && !strings.HasSuffix(name, c.Version) {
		name += " " + c.Version
	}
	if name != "" {
		name = " " + name
	}
	return fmt.Sprintf("%s (%s%s, %s)", dir, c.Kind, name, words.Count(len(c.Objects), "object"))
}

// load renders a folder as the installer does.
func (p *assessment) load(ctx context.Context, i *installer.Installer, dir string) (*content.Content, error) {
	return p.contents.Load(ctx, i, dir, p.serviceCA(i))
}

// serviceCA returns whether OpenShift's service CA issues the certificates of webhooks; otherwise cert-manager does.
func (p *assessment) serviceCA(i *installer.Installer) bool {
	if who := p.options.Certificates; who != "auto" {
		return who == "service-ca"
	}
	return i.ServiceCA()
}

func (p *assessment) collectionVerbs(i *installer.Installer) []string {
	switch text := p.options.CollectionVerbs; text {
	case "auto":
		return preflight.CollectionVerbs(i.Runtime)
	case "none", "":
		return nil
	default:
		return SplitVerbs(text)
	}
}

func (p *assessment) finalizers(i *installer.Installer, revision int) preflight.Finalizers {
	switch text := p.options.Finalizers; text {
	case "auto":
		return preflight.FinalizersOf(i.Runtime, i.Extension, revision)
	case "none", "":
		return preflight.Finalizers{}
	default:
		resource, name, _ := strings.Cut(text, "/")
		return preflight.Finalizers{Resource: resource, Name: name}
	}
}
