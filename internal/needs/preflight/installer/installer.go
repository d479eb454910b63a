package installer

import (
	"fmt"
	"maps"
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// Choice is what the user says about it. What is left out is taken from the extension in the repository.
type Choice struct {
	// Extension is the name of the extension; it may be left out where the repository has one.
	Extension, Namespace string
	// WatchNamespaces are those of spec.config.inline.watchNamespace.
	WatchNamespaces []string
	// Identity is who is asked about; nil is the one OLM acts as.
	Identity *rbac.Identity
	// Account is the name of an account in the namespace of the extension who is asked about.
	Account string
	// Runtime is Helm or Boxcutter, or "" for what the signs say.
	Runtime string
	// Target is the one the user named for the whole run; nil leaves it to the repository.
	Target *olm.Target
	// Selected tells whether the user named a file; where an extension is there several times, that decides.
	Selected func(file string) bool
}

// Installer is who installs an extension.
type Installer struct {
	Extension, Namespace string
	WatchNamespaces      []string
	Identity             rbac.Identity
	// Unit has what is applied together with the extension. From is the extension, nil where the repository has none.
	Unit     *objects.Unit
	From     *objects.Object
	Resolved loader.ResolvedTarget
	Runtime  olm.Runtime
	// NotActing says why OLM acts as somebody else than the identity, as its own account, so that nothing is asked of the
	// identity; "" where it does not.
	NotActing string
	// Condition is what must be so for OLM to act as the identity, and is not known, as in "if the gate is on"; else "".
	Condition string
	Notes     []string
}

// Find finds the installer of an extension. The error says what is missing and which flag supplies it.
func Find(w *loader.Repository, choice Choice) (*Installer, error) {
	extension, err := pick(w, choice)
	if err != nil {
		return nil, err
	}
	i := &Installer{Extension: choice.Extension, Namespace: choice.Namespace, WatchNamespaces: choice.WatchNamespaces}
	if extension == nil {
		err = i.withoutObject(w, choice)
	} else {
		i.describe(extension)
	}
	if err != nil {
		return nil, err
	}
	if err := i.findRuntime(choice.Runtime); err != nil {
		return nil, err
	}
	return i, i.identify(extension, choice)
}

// describe takes from the extension what the user did not say.
func (i *Installer) describe(e *loader.Extension) {
	i.Extension, i.Unit, i.From, i.Resolved = e.Name, e.Unit, e.Object, e.Resolved
	if i.Namespace == "" {
		i.Namespace = e.Namespace
	}
	if len(i.WatchNamespaces) > 0 {
		return
	}
	watched := e.Object.Node.Lookup(manifest.Path{"spec", "config", "inline", "watchNamespace"})
	if watched.IsScalar() && !watched.IsNull() {
		i.WatchNamespaces = []string{watched.String()}
	}
}

// findRuntime tells the runtime, and whether OLM acts as the identity at all.
func (i *Installer) findRuntime(asked string) error {
	gates := maps.Clone(olm.Resolve(i.Resolved.Signals).Gates)
	if gates == nil {
		gates = map[string]bool{}
	}
	if asked != "" {
		gates[olm.BoxcutterGate] = asked == olm.BoxcutterRuntime
	}
	target := i.Resolved.Target
	runtime, ok := olm.RuntimeOf(target, gates)
	switch {
	case !ok && asked != "":
		return fmt.Errorf("--runtime %s: %s is not known to have this runtime: name a release that has, as in --target olm-1.10",
			strings.ToLower(asked), target.Name)
	case !ok:
		i.Notes = append(i.Notes, fmt.Sprintf("the repository turns the Boxcutter runtime on, and it is not known how the target %s "+
			"uses it: it was asked for the Helm runtime; name a release with --target", target.Name))
		runtime, _ = olm.RuntimeOf(target, nil)
	}
	i.Runtime = runtime
	switch {
	case target.Model == olm.Ignored || target.Model == olm.Removed:
		i.NotActing = fmt.Sprintf("for %s OLM installs extensions as its own account, which is a cluster-admin, "+
			"and no grant limits it", target.Name)
	case !runtime.Account:
		i.NotActing = fmt.Sprintf("for %s the %s runtime installs extensions as OLM's own account, which is a cluster-admin",
			target.Name, runtime.Name)
	}
	return nil
}
