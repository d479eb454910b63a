package states

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/change"
	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
)

const policyGroup = "policy.open-cluster-management.io"

// addEnforced adds the policies of Open Cluster Management that begin to enforce objects about access: what they hold counts as applied, also while they
// only inform.
//
// Source: https://open-cluster-management.io/docs/getting-started/integration/policy-controllers/policy-framework/.
func (c *contents) addEnforced(r *change.Report, selects func(file string) bool) {
	was, idle := map[string]bool{}, map[string]bool{}
	files := slices.Sorted(maps.Keys(c.changed))
	for _, file := range slices.Concat(files, c.removed()) {
		for _, p := range policiesIn(c.before, file) {
			was[file+p.title] = true
			idle[file+p.title] = !p.enforces
			idle[p.title] = idle[p.title] || !p.enforces
		}
	}
	for _, file := range files {
		if !selects(file) || c.tests[file] {
			continue
		}
		for _, p := range policiesIn(c.after, file) {
			key := file + p.title
			if !was[key] { // its file is another one
				key = p.title
			}
			if p.enforces && idle[key] {
				r.NotRead.AddContent(p.at, p.title+" begins to enforce objects about access, which counted as applied before: they were not compared")
			}
		}
	}
}

// demands finds a template of an object that must be there: one that must not can only take power away.
var demands = lazyregexp.New(`(?i)\bmust(?:only)?have\b`)

// policy is a policy with objects about access.
type policy struct {
	title    string
	enforces bool
	at       objects.Position
}

func policiesIn(state read, file string) (list []policy) {
	text, err := state.Text(file)
	if err != nil || !repo.IsManifest(file) || !bytes.Contains(text, []byte(policyGroup)) {
		return nil
	}
	for _, doc := range manifest.Scan(file, text).Docs {
		group, _, _ := strings.Cut(doc.APIVersion(), "/")
		if group != policyGroup || !bytes.Contains(doc.Bytes(), []byte("rbac.authorization.k8s.io")) || !demands().Match(doc.Bytes()) || doc.Parse() != nil {
			continue
		}
		for _, o := range objects.Objects(doc) {
			spec, _ := o.JSON()["spec"].(map[string]any)
			list = append(list, policy{o.Kind + " " + strings.TrimPrefix(o.Namespace+"/"+o.Name, "/"), enforces(spec), o.Position(nil)})
		}
	}
	return list
}

// enforces reports whether a policy, or one of its templates, changes objects. The action of a Policy replaces those of its templates.
func enforces(spec map[string]any) bool {
	if spec["disabled"] == true {
		return false
	}
	if action := jsonfield.Text(spec["remediationAction"]); action != "" {
		return strings.EqualFold(action, "enforce")
	}
	return slices.ContainsFunc(jsonfield.List(spec["policy-templates"]), func(item any) bool {
		template, _ := item.(map[string]any)
		definition, _ := template["objectDefinition"].(map[string]any)
		inner, _ := definition["spec"].(map[string]any)
		return inner != nil && enforces(inner)
	})
}
