package render

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render/protocol"
)

// attempts builds a folder, and if that fails, builds it again without the entry that fails.
type attempts struct {
	ctx     context.Context
	files   Files
	workers *Workers
	options KustomizeOptions
	// skip are the entries that are left out, with the reason; open are the folders that are being built; count is the number
	// of builds.
	skip  map[Entry]string
	open  []string
	count int
	// charts are the objects of charts, by the entry: every attempt has the same.
	charts map[string]inflation
}

// maxAttempts limits the builds for one folder. Each leaves out one entry more.
const maxAttempts = 30

// build builds a folder. The error is that of the last build: what failed before can be left out.
func (a *attempts) build(dir string) (*kustomizeBuild, *protocol.Result, error) {
	a.open = append(a.open, dir)
	defer func() { a.open = a.open[:len(a.open)-1] }()
	for {
		reason := a.options.Reason
		if a.count > 0 {
			reason = ForAttempt
		}
		b := &kustomizeBuild{
			files: a.files, dir: dir, reason: reason, limit: a.workers.limits.Input, withoutRemote: a.options.Remote != nil, noLines: a.options.NoLines, noFiles: a.options.NoFiles, unrestricted: a.options.Unrestricted,
			ctx: a.ctx, workers: a.workers, partial: a.options.LeftOut != nil, skip: a.skip, inflated: map[string][]byte{}, charts: a.charts,
		}
		result, err := b.run()
		if err == nil {
			return b, result, nil
		}
		a.count++
		var fault *Error
		if !b.partial || a.count >= maxAttempts || !errors.As(err, &fault) || !a.leaveCause(b, fault) {
			return nil, nil, err
		}
	}
}

// leaveCause adds the entry because of which a build failed to those that are left out. It is false if the entry is not known,
// or changes other objects.
func (a *attempts) leaveCause(b *kustomizeBuild, fault *Error) bool {
	k := b.readKustomization(b.dir)
	if k == nil || strings.Contains(fault.cause(), "already registered id") {
		return false
	}
	if len(b.left)+len(b.remotes) == 0 {
		return false // kustomize refuses what is there
	}
	return a.leaveResource(b, k, fault) || a.leaveDependent(b, fault.cause())
}

// cause is the text in which to search for what failed.
func (e *Error) cause() string {
	if e.whole != "" {
		return e.whole
	}
	return e.Message
}

// readKustomization reads the kustomization of a folder; nil if there is none.
func (b *kustomizeBuild) readKustomization(dir string) *objects.Kustomization {
	name := b.kustomizationIn(dir)
	if name == "" {
		return nil
	}
	data, err := b.files.ReadFile(name)
	if err != nil {
		return nil
	}
	for _, doc := range manifest.Scan(name, data).Docs {
		if doc.Parse() != nil {
			return nil
		}
		if k, err := objects.ReadKustomization(doc); err == nil {
			return k
		}
	}
	return nil
}

// leaveResource leaves out the resource that kustomize names in its message. If it is a folder that can be built without one
// of its entries, only that entry is left out. If nothing else would be left, the build has failed.
func (a *attempts) leaveResource(b *kustomizeBuild, k *objects.Kustomization, fault *Error) bool {
	left := 0
	var cause *objects.Entry
	for _, entry := range k.Resources {
		if _, skipped := a.skip[EntryOf(k.Path, entry.Field, entry.Value)]; skipped || entry.Field == "components" {
			continue
		}
		left++
		if cause == nil && strings.Contains(fault.cause(), "'"+entry.Value+"'") {
			cause = &entry
		}
	}
	if cause == nil {
		return false
	}
	reason := fault.Message
	if b.kustomizationIn(cause.Target) != "" && !slices.Contains(a.open, cause.Target) {
		before := len(a.skip)
		_, _, err := a.build(cause.Target)
		switch {
		case err == nil:
			return len(a.skip) > before
		default:
			reason = err.Error()
		}
	}
	if left == 1 {
		return false
	}
	a.skip[EntryOf(k.Path, cause.Field, cause.Value)] = fmt.Sprintf("%s: %q was left out, because it cannot be built: %s", cause.Field, cause.Value, short(reason))
	return true
}

// maxReason limits how much of a message of kustomize is quoted, because it can quote a whole file.
const maxReason = 300

func short(reason string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(reason), "\n")
	if len(line) > maxReason {
		line = strings.ToValidUTF8(line[:maxReason], "") + "…"
	}
	return line
}

// absent is why an entry is left out that changes something that is not there.
func (e Entry) absent() string {
	return e.field + ": the object that this entry changes is not in what was built, so the entry was left out"
}

// skippableFields are the lists whose entries can be left out.
var skippableFields = []string{
	"resources", "bases", "patches", "patchesStrategicMerge", "patchesJson6902", "replacements", "configMapGenerator", "secretGenerator",
}

// leaveDependent leaves out an entry that changes an object which is named in kustomize's message because it does not exist: it is
// in what was left out.
func (a *attempts) leaveDependent(b *kustomizeBuild, message string) bool {
	for _, k := range b.kustomizations(b.dir, map[string]bool{}) {
		fields, _ := k.Doc.Root.Decode().(map[string]any)
		for _, field := range skippableFields[2:] {
			list, _ := fields[field].([]any)
			for _, item := range list {
				key := (&checker{file: k.Doc.File}).keyOf(field, item)
				if _, skipped := a.skip[key]; skipped || !b.names(k, field, item, message) {
					continue
				}
				a.skip[key] = key.absent()
				return true
			}
		}
	}
	return false
}

// kustomizations returns the kustomizations that a folder reaches, the nested ones first.
func (b *kustomizeBuild) kustomizations(dir string, seen map[string]bool) []*objects.Kustomization {
	k := b.readKustomization(dir)
	if k == nil || seen[dir] {
		return nil
	}
	seen[dir] = true
	var all []*objects.Kustomization
	for _, entry := range k.Resources {
		if isDir(b.files, entry.Target) {
			all = append(all, b.kustomizations(entry.Target, seen)...)
		}
	}
	return append(all, k)
}

// names reports whether an entry concerns an object that a message names as kind, versions, and name: Role.v1.group/name.namespace.
func (b *kustomizeBuild) names(k *objects.Kustomization, field string, item any, message string) bool {
	fields, isMap := item.(map[string]any)
	text, _ := item.(string)
	switch {
	case field == "configMapGenerator":
		return idIn(message, "ConfigMap", fields["name"])
	case field == "secretGenerator":
		return idIn(message, "Secret", fields["name"])
	case field == "replacements":
		source, _ := fields["source"].(map[string]any)
		return idIn(message, source["kind"], source["name"])
	case isMap && fields["target"] != nil:
		return false // kustomize does not refuse a target that selects nothing
	case isMap:
		text, _ = fields["patch"].(string)
	}
	name, _ := fields["path"].(string)
	if !isMap && !strings.Contains(text, "\n") {
		name = text
	}
	if name != "" {
		data, err := b.files.ReadFile(path.Join(k.Dir, name))
		if err != nil {
			return false
		}
		text = string(data)
	}
	return slices.ContainsFunc(manifest.Scan("", []byte(text)).Docs, func(doc *manifest.Document) bool {
		return doc.Parse() == nil && idIn(message, doc.Root.Get("kind").String(), doc.Root.Get("metadata").Get("name").String())
	})
}

// idIn reports whether a message has the identifier of an object: as resid.ResId writes it, or its fields.
func idIn(message string, kind, name any) bool {
	k, _ := kind.(string)
	n, _ := name.(string)
	if k == "" || n == "" {
		return false
	}
	return strings.Contains(message, k+".") && strings.Contains(message, "/"+n+".") ||
		strings.Contains(message, fmt.Sprintf("Kind:%q", k)) && strings.Contains(message, fmt.Sprintf("Name:%q", n))
}
