package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/shell"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/needs/deniedtext"
)

// FieldMessage explains a message about spec.serviceAccount of an extension, which is about no permission.
type FieldMessage struct {
	// Problem is that of [deniedtext.FieldMessage].
	Problem string `json:"problem"`
	// Extension is "" if it is unknown.
	Extension string `json:"extension"`
	// Refused is false for a warning.
	Refused bool `json:"refused"`
	// Meaning is what happened, Releases which releases print the text.
	Meaning  string `json:"meaning"`
	Releases string `json:"releases"`
	// Rule is the rule that reports the manifest.
	Rule string `json:"rule"`
	// Contradiction says that the target does not print the text; otherwise "".
	Contradiction string `json:"contradiction,omitempty"`
	// Remedy is what to do, and Command the command for it.
	Remedy  string `json:"remedy"`
	Command string `json:"command"`
	// field is the one that the text is about.
	field string
}

// Explain explains a message. The target is the one of the extension; nil if it is unknown. The name is that of the extension if the
// text does not contain it.
func Explain(m deniedtext.FieldMessage, target *olm.Target, name string) FieldMessage {
	if m.Extension != "" {
		name = m.Extension
	}
	e := FieldMessage{Problem: string(m.Problem), Extension: name, Refused: !m.Warning, field: "spec.serviceAccount"}
	switch m.Problem {
	case deniedtext.FieldIgnored:
		e.ignored(m, target)
	case deniedtext.FieldRequired:
		e.required(m, target)
	case deniedtext.FieldUnknown:
		e.unknown(m, target)
	case deniedtext.FieldImmutable:
		e.immutable(m, target)
	case deniedtext.FieldConflict:
		e.conflict(m, target)
	default:
		e.Rule = "olm/service-account-empty"
		e.Meaning = fmt.Sprintf("the API server rejects %s, because %s contains no valid account", e.who(), m.Field)
		e.Releases = "every release"
		e.Remedy = "Remove the whole field, or name an account where the release requires one"
		e.Command = fixFor(target, "", olm.Required, olm.Synthetic, olm.Ignored, olm.Removed)
	}
	return e
}

func (e *FieldMessage) ignored(m deniedtext.FieldMessage, target *olm.Target) {
	e.Rule = "olm/service-account-deprecated"
	e.Meaning = fmt.Sprintf("OLM ignores spec.serviceAccount of %s, and installs it with its own account", e.who())
	if e.Refused {
		e.Meaning = fmt.Sprintf("an admission policy rejects %s, because it sets spec.serviceAccount, which OLM ignores", e.who())
	}
	e.Releases, e.Remedy = "from "+olm.IgnoredFrom()+" on", "Remove the field"
	first := string(olm.Ignored)
	if m.Proposed {
		first, e.Releases = "ocp-4.21-proposed", "the proposal for OpenShift, as in ocp-4.21-proposed and ocp-4.22-proposed"
	}
	e.Command = fixFor(target, first, olm.Ignored)
	e.contradict(target, olm.Ignored)
}

func (e *FieldMessage) required(m deniedtext.FieldMessage, target *olm.Target) {
	e.Rule = "olm/service-account-missing"
	e.Meaning = fmt.Sprintf("the API server rejects %s, because it requires %s", e.who(), m.Field)
	e.Releases = "through " + olm.RequiredThrough()
	e.Remedy = "Name an account that has the permissions of the bundle (salint preflight --bundle DIR lists them), or upgrade OLM first"
	e.Command = fixFor(target, string(olm.Required), olm.Required)
	e.contradict(target, olm.Required)
}

func (e *FieldMessage) unknown(m deniedtext.FieldMessage, target *olm.Target) {
	e.Rule = "olm/service-account-deprecated"
	e.Meaning = fmt.Sprintf("the API server rejects %s, because its API has no field %s", e.who(), m.Field)
	if !e.Refused {
		e.Meaning = fmt.Sprintf("the API server drops %s of %s, because its API has no such field", m.Field, e.who())
	}
	if strings.HasPrefix(m.Field, "spec.install.") {
		e.Rule, e.Releases = "olm/layout-outdated", "every release with the API version v1: operator-controller v0.15 to v0.17 had the field"
		e.Remedy, e.Command = "Write the fields of v1", "salint lint --fix --unsafe-fixes --only olm/layout-outdated"
		return
	}
	e.Releases = "releases that removed the field, as ocp-4.23-proposed does, and operator-controller before v0.12; every other release has it"
	e.Remedy, e.Command = "Remove the field", fixFor(target, string(olm.Removed), olm.Removed)
	e.contradict(target, olm.Removed)
}

func (e *FieldMessage) immutable(m deniedtext.FieldMessage, target *olm.Target) {
	e.Rule = "olm/fields-immutable"
	if strings.HasSuffix(m.Field, ".namespace") {
		e.field, e.Releases = m.Field, "every release"
		e.Meaning = fmt.Sprintf("the API server rejects the change of %s: the namespace of a live extension cannot be changed", e.who())
		e.Remedy = "Restore the namespace that the live extension has. " + notRecreated
		e.Command = "kubectl get clusterextension " + e.quoted() + " -o 'jsonpath={." + m.Field + "}'"
		return
	}
	e.Meaning = fmt.Sprintf("the API server rejects the change of %s: the account of a live extension cannot be changed", e.who())
	if m.MayBeCleared {
		e.Releases, e.Remedy = "from "+olm.IgnoredFrom()+" on", "Remove the field, which has no effect there, instead of changing it"
		e.Command = fixFor(target, string(olm.Ignored), olm.Ignored)
		e.contradict(target, olm.Ignored)
		return
	}
	e.Releases = "through " + olm.RequiredThrough()
	e.Remedy = "Restore the name that the live extension has. " + notRecreated
	e.Command = "kubectl get clusterextension " + e.quoted() + " -o 'jsonpath={.spec.serviceAccount.name}'"
	e.contradict(target, olm.Required, olm.Synthetic)
}

const notRecreated = "Do not recreate the extension: this deletes its CustomResourceDefinitions and all custom resources"

// quoted is the name of the extension in a command.
func (e *FieldMessage) quoted() string {
	if e.Extension == "" {
		return "NAME"
	}
	return shell.Quote(e.Extension)
}

func (e *FieldMessage) who() string {
	if e.Extension == "" {
		return "the ClusterExtension"
	}
	return "ClusterExtension " + e.Extension
}

// contradict notes a target whose model does not print the text.
func (e *FieldMessage) contradict(target *olm.Target, models ...olm.Model) {
	if target == nil || slices.Contains(models, target.Model) {
		return
	}
	e.Contradiction = fmt.Sprintf("%s does not print this text: find out which release the cluster runs (salint targets shows how)", target.Name)
}

// fixFor returns the command that fixes the manifests: for the target if it has one of the models, otherwise for another.
func fixFor(target *olm.Target, otherwise string, models ...olm.Model) string {
	if target != nil && slices.Contains(models, target.Model) {
		otherwise = target.Name
	}
	if otherwise == "" {
		return "salint lint --fix"
	}
	return "salint lint --fix --target " + otherwise
}

// verdictOfFields is the verdict for a text that is only about the field.
func (e Errors) verdictOfFields() string {
	if e.refusesField() {
		return "the text refuses " + e.fields() + ", and no permission"
	}
	return "nothing was refused: the text is a warning about " + e.fields()
}

// fields names the fields that the text is about, each once.
func (e Errors) fields() string {
	var all []string
	for _, m := range e.Fields {
		if !slices.Contains(all, m.field) {
			all = append(all, m.field)
		}
	}
	return strings.Join(all, " and ")
}

// refusesField reports whether a request was refused because of the field.
func (e Errors) refusesField() bool {
	return slices.ContainsFunc(e.Fields, func(m FieldMessage) bool { return m.Refused })
}

// explain prints what the text says about the field, and what to do.
func (e Errors) explain(t *page) {
	if len(e.Fields) == 0 {
		return
	}
	t.line("\nAbout %s", e.fields())
	t.some("  ", len(e.Fields), func(i int) {
		m := e.Fields[i]
		t.line("  %s.", words.UpperFirst(m.Meaning))
		t.line("    printed by  %s", m.Releases)
		t.line("    rule        %s", m.Rule)
		if m.Contradiction != "" {
			t.line("    note        %s", m.Contradiction)
		}
		t.line("    what to do  %s.", m.Remedy)
		t.line("                $ %s", m.Command)
	})
}

// lines are the same for lists of sentences.
func (m FieldMessage) lines() []string {
	all := []string{words.UpperFirst(m.Meaning) + ".", "Printed by: " + m.Releases + " (" + m.Rule + ")."}
	if m.Contradiction != "" {
		all = append(all, m.Contradiction+".")
	}
	return append(all, m.Remedy+": "+m.Command)
}
