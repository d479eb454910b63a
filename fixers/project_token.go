package fixers

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/manifest"
	"github.com/salint/salint/internal/repo"
)

// projectToken replaces a volume with a token Secret by one with a token that the kubelet asks for and renews, and removes
// the Secret where nothing else names it. The token has another audience and another life, so the fix is unsafe.
func projectToken(c *Context, r Request) (*Plan, error) {
	pod, err := c.podOf(r, isMountedSecret)
	if err != nil {
		return nil, err
	}
	m := &tokenMount{Context: c, request: r, pod: pod, path: r.Path[:len(pod.Path)+2]}
	m.volume = r.Object.Node.Lookup(m.path)
	if err := m.check(); err != nil {
		return nil, err
	}
	sources, err := m.sources()
	if err != nil {
		return nil, err
	}
	volume := map[string]any{"sources": sources}
	if mode, ok := m.volume.Get("secret").Get("defaultMode").Decode().(int64); ok {
		volume["defaultMode"] = mode
	}
	p := &Plan{Object: r.Object, Description: fmt.Sprintf("Project a token of %s into the volume %s, which lives %d seconds and is renewed",
		m.account, m.volume.Get("name").String(), c.Tokens.ExpirationSeconds)}
	at := r.Object.At(m.path)
	p.change(r.Object, Change{Op: AddField, Path: at.Join("projected"), After: "secret", Value: volume, Order: repo.OrderOther})
	p.change(r.Object, Change{Op: RemoveValue, Path: at.Join("secret"), Order: repo.OrderOther})
	m.dropSecret(p)
	c.mirror(p)
	p.note("%s at %s: the program must read the token again before it expires, for the file is renewed on the way",
		identityOf(r.Object), r.Object.Position(m.path))
	return p, nil
}

// isMountedSecret tells of a path inside a pod that it is the Secret of a volume.
func isMountedSecret(rest manifest.Path) bool {
	return len(rest) == 4 && rest[0] == "volumes" && rest[2] == "secret" && rest[3] == "secretName"
}

// tokenMount is a volume with a token Secret on its way to be replaced.
type tokenMount struct {
	*Context
	request Request
	pod     inventory.PodSpec
	// path leads to the volume inside the object.
	path    manifest.Path
	volume  *manifest.Node
	secret  *inventory.Object
	account string
}

// check refuses a mount for which a projected token would not do the same.
func (m *tokenMount) check() error {
	o := m.request.Object
	if inventory.IsStatic(o) {
		return refuse("%s is for a kubelet: a static pod has no account, so no token can be projected into it", identityOf(o))
	}
	if err := m.findSecret(); err != nil {
		return err
	}
	m.account, _ = m.pod.Account()
	if of := m.secret.Node.Lookup(accountAnnotation).String(); of != m.account {
		return refuse("%s holds a token of %s, and the pod runs as %s: a projected token is always one of the pod's own account. "+
			"Run the pod as %s, or use the TokenRequest API", identityOf(m.secret), of, m.account, of)
	}
	if !m.Tokens.AudienceGiven {
		return refuse("for whom the token is meant cannot be told: say it in .salint.yaml, as in `tokens: {audience: vault}`, " +
			`or audience: "" for the API server`)
	}
	if place := m.subPath(); place != "" {
		return refuse("%s mounts a file of the volume by its subPath: such a file is never renewed, and the token would expire", place)
	}
	return nil
}

var accountAnnotation = manifest.Path{"metadata", "annotations", "kubernetes.io/service-account.name"}

// findSecret finds the manifest of the Secret. All units that apply the pod must mean the same one.
func (m *tokenMount) findSecret() error {
	o, core := m.request.Object, ""
	name := m.volume.Lookup(manifest.Path{"secret", "secretName"}).String()
	query := inventory.Query{Group: &core, Kind: "Secret", Namespace: o.Namespace, Name: name}
	for _, unit := range m.unitsWith(o) {
		owned, tie := unit.Near(o, unit.Find(query))
		if len(owned) != 1 || len(tie) > 0 || m.secret != nil && m.secret.Ref() != owned[0].Ref() {
			return refuse("which Secret %s is meant cannot be told: there is none or several of that name", name)
		}
		m.secret = owned[0]
	}
	return nil
}

// subPath says which mount of the volume takes one file out of it; "" when none does.
func (m *tokenMount) subPath() string {
	name := m.volume.Get("name").String()
	for _, field := range []string{"initContainers", "containers", "ephemeralContainers"} {
		containers := m.pod.Node.Get(field)
		for i := 0; containers.Lookup(manifest.Path{strconv.Itoa(i)}) != nil; i++ {
			mounts := containers.Lookup(manifest.Path{strconv.Itoa(i), "volumeMounts"})
			for j := 0; mounts.Lookup(manifest.Path{strconv.Itoa(j)}) != nil; j++ {
				mount := mounts.Lookup(manifest.Path{strconv.Itoa(j)})
				part := mount.Get("subPath").String() + mount.Get("subPathExpr").String()
				if mount.Get("name").String() == name && part != "" {
					return m.pod.Path.Join(field, strconv.Itoa(i), "volumeMounts", strconv.Itoa(j)).String()
				}
			}
		}
	}
	return ""
}

// tokenFiles are the keys of a token Secret, in the order in which they are written.
var tokenFiles = []string{"token", "ca.crt", "namespace"}

// sources are the projected volume's: what the keys of the Secret become, under the paths that the volume gives them.
func (m *tokenMount) sources() ([]any, error) {
	items := m.volume.Lookup(manifest.Path{"secret", "items"})
	var sources []any
	if items == nil {
		for _, key := range tokenFiles {
			sources = append(sources, m.source(key, key))
		}
		return sources, nil
	}
	for i := 0; items.Lookup(manifest.Path{strconv.Itoa(i)}) != nil; i++ {
		item := items.Lookup(manifest.Path{strconv.Itoa(i)})
		key, path := item.Get("key").String(), item.Get("path").String()
		if !slices.Contains(tokenFiles, key) || path == "" || item.Get("mode") != nil {
			return nil, refuse("the volume takes %q out of the Secret, or gives it a mode: write the projected volume by hand", key)
		}
		sources = append(sources, m.source(key, path))
	}
	if len(sources) == 0 {
		return nil, refuse("the volume takes nothing out of the Secret: remove it by hand")
	}
	return sources, nil
}

// source is what a key of the Secret is replaced by.
func (m *tokenMount) source(key, path string) any {
	switch key {
	case "token":
		token := map[string]any{"path": path, "expirationSeconds": m.Tokens.ExpirationSeconds}
		if m.Tokens.Audience != "" {
			token["audience"] = m.Tokens.Audience
		}
		return map[string]any{"serviceAccountToken": token}
	case "ca.crt":
		return map[string]any{"configMap": map[string]any{
			"name": "kube-root-ca.crt", "items": []any{map[string]any{"key": key, "path": path}},
		}}
	default:
		return map[string]any{"downwardAPI": map[string]any{
			"items": []any{map[string]any{"path": path, "fieldRef": map[string]any{"fieldPath": "metadata.namespace"}}},
		}}
	}
}

// dropSecret adds the removal of the Secret, if its name stands nowhere else; otherwise it says that it stays.
func (m *tokenMount) dropSecret(p *Plan) {
	if why := m.secretInUse(); why != "" {
		p.note("%s stays: %s", identityOf(m.secret), why)
		return
	}
	p.Description += ", and remove " + identityOf(m.secret).String()
	p.removeObject(m.secret, repo.OrderRemoval)
}

func (m *tokenMount) secretInUse() string {
	if err := m.checkEditable(m.secret); err != nil {
		return err.Error()
	}
	if err := m.checkWhole(m.secret); err != nil {
		return err.Error()
	}
	if m.Mentions == nil {
		return "it is not known who else uses it"
	}
	found, err := m.Mentions([]string{m.secret.Name})
	if err != nil {
		return err.Error()
	}
	for _, mention := range found[m.secret.Name] {
		own := mention.Ref == m.secret.Ref() && mention.Path.String() == "metadata.name"
		mount := mention.Ref == m.request.Object.Ref() && mention.Path.String() == m.request.Path.String()
		if !own && !mount && !m.listsFile(mention) {
			return fmt.Sprintf("%s:%d names it", mention.File, mention.Line)
		}
	}
	return ""
}
