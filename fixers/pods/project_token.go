package pods

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// ProjectToken replaces a volume of a token Secret with a projected token that the kubelet requests and renews, and removes
// the Secret if no other object names it. The fix is unsafe, because the new token has another audience and lifetime.
func ProjectToken(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	pod, err := podOf(c, r, isMountedSecret)
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
	p := &engine.Plan{Object: r.Object, Description: fmt.Sprintf("Project a token of %s into the volume %s, valid for "+
		"%d seconds and then renewed",
		m.account, m.volume.Get("name").String(), c.Policy.Tokens.ExpirationSeconds)}
	at := r.Object.At(m.written)
	text, dropped := m.styled(volume)
	if dropped {
		p.Description += ", and drop the comments on its Secret"
	}
	p.AddChange(r.Object, engine.Change{Op: engine.AddField, Path: at.Join("projected"), After: "secret", Value: text, Order: commit.OrderOther})
	p.AddChange(r.Object, engine.Change{Op: engine.RemoveValue, Path: at.Join("secret"), Order: commit.OrderOther})
	m.declare(p, volume)
	p.RemovedToken = m.removedToken()
	p.AddNote("%s at %s: the program must read the token again before it expires, because the kubelet renews the file",
		engine.NameOf(r.Object), r.Object.Position(m.path))
	return p, nil
}

// isMountedSecret reports whether a path inside a pod is that of the Secret of a volume.
func isMountedSecret(rest manifest.Path) bool {
	return len(rest) == 4 && rest[0] == "volumes" && rest[2] == "secret" && rest[3] == "secretName"
}

// tokenMount is a volume with a token Secret that is to be replaced.
type tokenMount struct {
	*engine.Context
	request engine.Request
	pod     objects.PodSpec
	// path is the path of the volume inside the object, written the path in the file of the object: overlays can add volumes
	// before it.
	path, written manifest.Path
	volume        *manifest.Node
	// secret is the Secret as the unit of the request applies it; names are the names under which all units apply it.
	secret  *objects.Object
	names   []string
	account string
}

// check refuses a mount that a projected token cannot replace.
func (m *tokenMount) check() error {
	o := m.request.Object
	if objects.IsStatic(o) {
		return engine.Refuse("%s is a static pod of a kubelet, which has no account: no token can be projected into it", engine.NameOf(o))
	}
	if err := engine.CheckInFile(o); err != nil {
		return err
	}
	if m.written = m.volumeIn(o.Source()); m.written == nil {
		return engine.Refuse("the volume %s is not in the file of %s but in a patch: write the projected volume there by hand",
			m.volume.Get("name").String(), engine.NameOf(o))
	}
	for _, form := range m.Repo.AppliedForms(o) {
		if err := m.checkForm(form); err != nil {
			return err
		}
	}
	m.account, _ = m.pod.Account()
	if !m.Policy.Tokens.AudienceGiven {
		return engine.Refuse("the audience of the token is unknown: set it in .salint.yaml, for example `tokens: {audience: " +
			"vault}`, " +
			`or audience: "" for the API server`)
	}
	return nil
}

// checkForm refuses a pod that has the token of another account in a unit, or a mount that is never renewed.
func (m *tokenMount) checkForm(form applied.Form) error {
	path := m.path[:len(m.path)-2]
	pod := objects.PodSpec{Path: path, Node: form.Object.Node.Lookup(path)}
	if !pod.Node.IsMapping() {
		return engine.Refuse("%s applies %s without a pod at %s: write the projected volume by hand", form.Unit, engine.NameOf(form.Object), path)
	}
	if err := m.checkVolume(form); err != nil {
		return err
	}
	secret, err := m.secretOf(form)
	if err != nil {
		return err
	}
	if key := extraKey(secret); key != "" && m.items() == nil {
		return engine.Refuse("%s also contains %q, which the volume gives to the pod, and a projected token does not: move "+
			"it into a separate Secret, and project both by hand", engine.NameOf(secret), key)
	}
	account, field := pod.Account()
	of := secret.Node.Lookup(accountAnnotation).String()
	if field == "" && len(objects.AccountPods(form.Object)) < len(objects.PodSpecs(form.Object)) {
		return engine.Refuse("%s holds a token of %s, and a projected token belongs to the account of the pod, which an operator sets: if it is %s, "+
			"write the projected volume by hand, otherwise use the TokenRequest API", engine.NameOf(secret), of, of)
	}
	if account != of {
		return engine.Refuse("%s holds a token of %s, but the pod runs as %s, and a projected token belongs to the account "+
			"of the pod: run the pod as %s, or use the TokenRequest API", engine.NameOf(secret), of, account, of)
	}
	if place := subPathIn(pod, m.volume.Get("name").String()); place != "" {
		return engine.Refuse("%s mounts a file of the volume with subPath, which is never renewed, so the token would "+
			"expire: mount the volume without subPath first", place)
	}
	return nil
}

var accountAnnotation = manifest.Path{"metadata", "annotations", "kubernetes.io/service-account.name"}

// volumeIn returns the path of the volume of this name in an applied form of the object; nil if there is none.
func (m *tokenMount) volumeIn(o *objects.Object) manifest.Path {
	volumes := m.path[:len(m.path)-1]
	list := o.Node.Lookup(volumes)
	for i := 0; list.Lookup(manifest.Path{strconv.Itoa(i)}) != nil; i++ {
		path := volumes.Join(strconv.Itoa(i))
		if o.Node.Lookup(path).Get("name").String() == m.volume.Get("name").String() {
			return path
		}
	}
	return nil
}

// checkVolume refuses a volume that a unit applies differently from its file, except for the name of the Secret.
func (m *tokenMount) checkVolume(form applied.Form) error {
	if err := m.CheckBuild(form.Unit, form.Object); err != nil {
		return err
	}
	path, source := m.volumeIn(form.Object), form.Object.Source()
	for _, field := range []manifest.Path{{"secret", "items"}, {"secret", "defaultMode"}, {"projected"}} {
		isSame := path != nil && engine.SameValue(source.Node.Lookup(m.written.Join(field...)), form.Object.Node.Lookup(path.Join(field...)))
		if !isSame {
			return engine.Refuse("%s applies the volume %s of %s in another form than %s has: change both together by hand"+engine.CompareBuilds, form.Unit, m.volume.Get("name").String(), engine.NameOf(form.Object), source.File)
		}
	}
	return nil
}

// declare declares the change of the volume in the units that are built.
func (m *tokenMount) declare(p *engine.Plan, volume any) {
	for _, form := range m.Repo.AppliedForms(m.request.Object) {
		if path := m.volumeIn(form.Object); engine.MayBeBuilt(form.Unit) {
			p.Applied = append(p.Applied,
				engine.AppliedChange{Unit: form.Unit, Object: form.Object, Op: engine.AddField, Path: path.Join("projected"), Value: volume},
				engine.AppliedChange{Unit: form.Unit, Object: form.Object, Op: engine.RemoveValue, Path: path.Join("secret")})
		}
	}
}

// secretOf finds the Secret of the volume in a unit. All units that apply the pod must refer to one manifest.
func (m *tokenMount) secretOf(form applied.Form) (*objects.Object, error) {
	o, core := form.Object, ""
	name := o.Node.Lookup(m.volumeIn(o).Join("secret", "secretName")).String()
	owned, tie := form.Unit.Near(o, form.Unit.Find(objects.Query{Group: &core, Kind: "Secret", Namespace: o.Namespace, Name: name}))
	if len(owned) != 1 || len(tie) > 0 || m.secret != nil && m.secret.Ref() != owned[0].Ref() {
		return nil, engine.Refuse("the Secret %s is unknown: no Secret or several Secrets have that name. Correct the name "+
			"first", name)
	}
	if m.secret == nil || o == m.request.Object {
		m.secret = owned[0]
	}
	m.names = append(m.names, name)
	return owned[0], nil
}

// subPathIn returns the path of a mount that takes a single file from a volume; "" if there is none.
func subPathIn(pod objects.PodSpec, volume string) string {
	for _, field := range []string{"initContainers", "containers", "ephemeralContainers"} {
		containers := pod.Node.Get(field)
		for i := 0; containers.Lookup(manifest.Path{strconv.Itoa(i)}) != nil; i++ {
			mounts := containers.Lookup(manifest.Path{strconv.Itoa(i), "volumeMounts"})
			for j := 0; mounts.Lookup(manifest.Path{strconv.Itoa(j)}) != nil; j++ {
				mount := mounts.Lookup(manifest.Path{strconv.Itoa(j)})
				part := mount.Get("subPath").String() + mount.Get("subPathExpr").String()
				if mount.Get("name").String() == volume && part != "" {
					return pod.Path.Join(field, strconv.Itoa(i), "volumeMounts", strconv.Itoa(j)).String()
				}
			}
		}
	}
	return ""
}

// tokenFiles are the keys of a token Secret, in the order in which they are written.
var tokenFiles = []string{"token", "ca.crt", "namespace"}

// extraKey returns a key of a token Secret that Kubernetes does not put there; "" if there is none.
func extraKey(secret *objects.Object) string {
	var keys []string
	for _, field := range []string{"data", "stringData"} {
		values, _ := secret.JSON()[field].(map[string]any)
		keys = append(keys, slices.Sorted(maps.Keys(values))...)
	}
	for _, key := range keys {
		if !slices.Contains(tokenFiles, key) {
			return key
		}
	}
	return ""
}

// items returns the items that the volume takes from the Secret; nil if it takes all of it.
func (m *tokenMount) items() *manifest.Node { return m.volume.Lookup(manifest.Path{"secret", "items"}) }

// sources returns the sources of the projected volume: one for each key of the Secret, under the path that the volume gives
// it.
func (m *tokenMount) sources() ([]any, error) {
	items := m.items()
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
			return nil, engine.Refuse("the volume takes %q from the Secret, or sets a mode for it: write the projected "+
				"volume by hand", key)
		}
		sources = append(sources, m.source(key, path))
	}
	if len(sources) == 0 {
		return nil, engine.Refuse("the volume takes nothing from the Secret: remove it by hand")
	}
	return sources, nil
}

// source returns what replaces a key of the Secret.
func (m *tokenMount) source(key, path string) any {
	switch key {
	case "token":
		token := map[string]any{"path": path, "expirationSeconds": m.Policy.Tokens.ExpirationSeconds}
		if m.Policy.Tokens.Audience != "" {
			token["audience"] = m.Policy.Tokens.Audience
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
