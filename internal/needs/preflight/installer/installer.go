package installer

import (
	"fmt"
	"maps"
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/bundleconfig"
	"github.com/salint/salint/internal/kube/bundlesupport"
	"github.com/salint/salint/internal/kube/crdsafety"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// Choice is what the user specifies. Missing values are those of the extension in the repository.
type Choice struct {
	// Extension is the name of the extension; it can be empty if the repository has exactly one.
	Extension, Namespace string
	// WatchNamespaces are those of spec.config.inline.watchNamespace.
	WatchNamespaces []string
	// Identity is the checked identity; nil is the one as which OLM acts.
	Identity *rbac.Identity
	// Account is the name of the checked account in the namespace of the extension.
	Account string
	// Runtime is Helm or Boxcutter, or "" to detect it from signals.
	Runtime string
	// Target is the target for the whole run; nil detects it.
	Target *olm.Target
	// Selected reports whether the user selected a file; it decides between several extensions of one name.
	Selected func(file string) bool
	// Rel returns the path of a repository file relative to the working directory; nil returns it unchanged.
	Rel func(file string) string
}

// Installer is who installs an extension.
type Installer struct {
	Extension, Namespace string
	WatchNamespaces      []string
	// Config is spec.config of the extension in JSON; nil if there is none.
	Config   any
	Identity rbac.Identity
	// Unit is what is applied together with the extension. From is the extension, nil if it is not in the repository.
	Unit     *objects.Unit
	From     *objects.Object
	Resolved loader.ResolvedTarget
	Runtime  olm.Runtime
	// Acting is as which identity OLM acts. Reason is the beginning of a sentence that says why it does not act as the identity; "" if it does.
	Acting Acting
	Reason string
	// Own is what the repository shows of OLM's own account, if OLM acts as it.
	Own rbac.OwnAccount
	// Condition is an unknown condition under which OLM acts as the identity, for example "if the gate is on"; otherwise
	// "".
	Condition string
	Notes     []string
}

// Find returns the installer of an extension. The error contains what is missing and the flag for it.
func Find(w *loader.Repository, choice Choice) (*Installer, error) {
	extension, note, err := pick(w, choice)
	if err != nil {
		return nil, err
	}
	i := &Installer{Extension: choice.Extension, Namespace: choice.Namespace, WatchNamespaces: choice.WatchNamespaces}
	if note != "" {
		i.Notes = append(i.Notes, note)
	}
	if extension == nil {
		err = i.withoutObject(w, choice)
	} else {
		i.describe(extension)
	}
	if err != nil {
		return nil, err
	}
	i.Notes = append(i.Notes, olm.StartFaults(i.Resolved.Target, i.Resolved.Signals)...)
	if err := i.findRuntime(choice.Runtime); err != nil {
		return nil, err
	}
	acts := i.Reason
	i.findOwn(w.Units, choice.Rel)
	i.answersFor(choice, acts)
	if i.Acting == AsLimitedAccount {
		return i, i.checkNamespace()
	}
	return i, i.identify(extension, choice)
}

// Of returns the installer of an extension, using only the repository, whose units show the permissions of OLM's own account.
// The error contains what is unknown; if OLM acts with its own account (AsOwnAccount), nothing needs to be known.
func Of(e loader.Extension, units []*objects.Unit) (*Installer, error) { return of(e, units, Choice{}) }

// As is Of for another identity, which is to replace the current installer of the extension.
func As(e loader.Extension, units []*objects.Unit, who rbac.Identity) (*Installer, error) {
	return of(e, units, Choice{Identity: &who})
}

func of(e loader.Extension, units []*objects.Unit, choice Choice) (*Installer, error) {
	i := &Installer{}
	i.describe(&e)
	if err := i.findRuntime(""); err != nil {
		return nil, err
	}
	i.findOwn(units, nil)
	return i, i.identify(&e, choice)
}

// UnknownError reports that something about an installer is unknown.
type UnknownError struct {
	// Reason is what is unknown and where, Hint how to specify it for salint preflight.
	Reason, Hint string
}

func (e *UnknownError) Error() string { return e.Reason + e.Hint }

// describe takes what the user did not specify from the extension.
func (i *Installer) describe(e *loader.Extension) {
	i.Extension, i.Unit, i.From, i.Resolved = e.Name, e.Unit, e.Object, e.Resolved
	if i.Namespace == "" {
		i.Namespace = e.Namespace
	}
	if spec, ok := e.Object.JSON()["spec"].(map[string]any); ok {
		i.Config = spec["config"]
	}
	if shown := i.Support().ShownConfig(); shown != "" && i.Config != nil {
		i.Notes = append(i.Notes, shown)
	}
	if len(i.WatchNamespaces) == 0 {
		i.readWatched(e)
	}
}

// Support returns the release that installs the extension.
func (i *Installer) Support() bundlesupport.Release {
	return bundlesupport.Of(i.Resolved.Target, i.Resolved.Signals)
}

// readWatched reads the namespace that the extension sets for its operator to watch: from the annotation, and from spec.config, as far as
// the release reads them.
func (i *Installer) readWatched(e *loader.Extension) {
	release := i.Support()
	config := bundleconfig.Watches(i.Config)
	annotation := scalarAt(e.Object.Node, "metadata", "annotations", bundlesupport.WatchAnnotation)
	switch {
	case config != "" && (release.HasConfig() || !release.ReadsAnnotation() && release.ReadsConfig()): // what has no effect is said of the bundle
		i.WatchNamespaces = []string{config}
	case annotation != "" && release.ReadsAnnotation():
		i.WatchNamespaces = []string{annotation}
	}
	if annotation != "" && !release.ReadsAnnotation() {
		i.Notes = append(i.Notes, fmt.Sprintf("the annotation %s has no effect: only v1.2 to v1.5 of operator-controller read it. Use spec.config.inline.watchNamespace",
			bundlesupport.WatchAnnotation))
	}
}

// ServiceCA reports whether OpenShift's service CA issues the certificates of webhooks; otherwise cert-manager does.
func (i *Installer) ServiceCA() bool { return i.Resolved.Target.OpenShift() || i.Support().ServiceCA() }

// ChecksDefinitions reports whether operator-controller checks what changes in definitions, which the extension can turn off.
func (i *Installer) ChecksDefinitions() bool { return i.From == nil || ChecksDefinitions(i.From) }

// ChecksDefinitions reports whether operator-controller checks what changes in the definitions of an extension.
func ChecksDefinitions(extension *objects.Object) bool {
	return scalarAt(extension.Node, strings.Split(crdsafety.Setting, ".")...) != "None"
}

func scalarAt(node *manifest.Node, path ...string) string {
	value := node.Lookup(path)
	if !value.IsScalar() || value.IsNull() {
		return ""
	}
	return value.String()
}

// findRuntime determines the runtime, and whether OLM acts as the identity.
func (i *Installer) findRuntime(asked string) error {
	gates := maps.Clone(olm.Resolve(i.Resolved.Signals).Gates)
	if gates == nil {
		gates = map[string]bool{}
	}
	if asked != "" {
		gates[olm.BoxcutterGate] = asked == olm.BoxcutterRuntime
	}
	target := i.Resolved.Target
	if target.Model == olm.Unknown {
		target = honoringTarget()
	}
	runtime, ok := olm.RuntimeOf(target, gates)
	switch {
	case !ok && asked != "":
		return fmt.Errorf("--runtime %s: %s is not known to have this runtime. Pass a release that has, for example --target olm-1.10",
			strings.ToLower(asked), target.Name)
	case !ok:
		i.Notes = append(i.Notes, fmt.Sprintf("the repository enables the Boxcutter runtime, and it is unknown how the target %s "+
			"uses it, so the Helm runtime was checked. Pass a release with --target", target.Name))
		runtime, _ = olm.RuntimeOf(target, nil)
	}
	i.Runtime = runtime
	switch {
	case target.Model == olm.Ignored || target.Model == olm.Removed:
		i.Acting, i.Reason = AsOwnAccount, fmt.Sprintf("with %s OLM installs extensions with its own account", target.Name)
	case !runtime.Account:
		i.Acting, i.Reason = AsOwnAccount, fmt.Sprintf("with %s the %s runtime installs extensions with OLM's own account", target.Name, runtime.Name)
	}
	return nil
}

// honoringTarget returns the target whose runtime is checked if the release is unknown: permissions are required only where OLM
// acts as the account.
func honoringTarget() olm.Target {
	target, _ := olm.ParseTarget(string(olm.Required)) // the name is a constant of the package
	return target
}

// LimitToHonoring says for which releases an answer about the identity of the extension holds, if the release is unknown. An
// error text needs no such limit: it shows that OLM acts as the identity.
func (i *Installer) LimitToHonoring() {
	if i.Resolved.Target.Model != olm.Unknown {
		return
	}
	i.Notes = append(i.Notes, fmt.Sprintf("the release is unknown: OLM acts as this identity through %s. From %s on, it acts as its own account "+
		"instead. Pass the release with --target (see `salint targets`)", olm.RequiredThrough(), olm.IgnoredFrom()))
	honored := "if the release honors the account (through " + olm.RequiredThrough() + ")"
	if i.Condition != "" {
		honored = i.Condition + ", and " + honored
	}
	i.Condition = honored
}
