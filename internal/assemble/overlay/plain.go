package overlay

import (
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rendered"
)

// A cluster that Flux manages has a folder for each of its applications, with a release of a chart and its source, and an application
// that sets their namespace. All that kustomize does with most of these folders is to write that namespace into each object. That is
// done here, without a child process. It is limited to objects of Flux, for whose kinds kustomize has no rules, and to accounts with
// bindings whose subjects are these accounts, or others in the namespace that is set: whatever kustomize does with references to names
// and namespaces, it writes the values that are there. What is not written plainly is left to kustomize.

const (
	// fluxGroups is the end of the API groups of Flux.
	fluxGroups = ".toolkit.fluxcd.io"
	// maxPlainSize and maxPlainObjects limit what is built here: larger folders are rare, and kustomize's limits are for them.
	maxPlainSize, maxPlainObjects = 64 << 10, 50
)

// plain returns what kustomize would build for a unit, if that is known without kustomize: the application changes nothing but the
// namespace, and the folder has only objects of Flux. Fixes are verified with real builds.
func (b *builder) plain(u *objects.Unit, edit *Edit) (built []rendered.Object, ok bool) {
	if b.Known != nil || b.Must != nil || b.ByKustomize || edit == nil || !isPlainUnit(u, edit) {
		return nil, false
	}
	k, ok := readPlainKustomization(edit.Data)
	if !ok || !b.isOnlyKustomization(u, edit) || !b.readsOnly(u, k.files(u.Root)) {
		return nil, false
	}
	seen := map[string]bool{}
	for _, o := range u.Objects {
		object, ok := plainObject(o)
		id := o.Kind + " " + o.Name
		if !ok || seen[id] || !k.mayApply(o, object) { // kustomize refuses objects with the same identity
			return nil, false
		}
		seen[id] = true
		k.changeMetadata(o, object["metadata"].(map[string]any))
		built = append(built, rendered.Object{Origin: rendered.Origin{File: o.File, Kustomization: u.Root}, JSON: object})
	}
	return built, true
}

// mayApply reports whether it is known what kustomize does with an object.
func (k plainKustomization) mayApply(o *objects.Object, object map[string]any) bool {
	switch {
	case strings.HasSuffix(o.Group, fluxGroups):
		return true
	case o.APIVersion == "v1" && o.Kind == rbac.KindServiceAccount:
		return hasOnly(object, "apiVersion", "kind", "metadata", "automountServiceAccountToken")
	case isBinding(o):
		return (o.Kind == "RoleBinding" || o.Namespace == "") && hasOnly(object, "apiVersion", "kind", "metadata", "roleRef", "subjects") && k.keepsSubjects(object)
	}
	return false
}

func isBinding(o *objects.Object) bool {
	return o.APIVersion == rbac.Group+"/v1" && (o.Kind == "RoleBinding" || o.Kind == "ClusterRoleBinding")
}

// keepsSubjects reports whether the subjects of a binding are accounts in the namespace that is set, and its role is none that kustomize
// could rename.
func (k plainKustomization) keepsSubjects(binding map[string]any) bool {
	role, _ := binding["roleRef"].(map[string]any)
	if role["apiGroup"] != rbac.Group || !hasOnly(role, "apiGroup", "kind", "name") || role["kind"] != "Role" && role["kind"] != "ClusterRole" {
		return false
	}
	subjects, _ := binding["subjects"].([]any)
	return k.namespace != "" && len(subjects) > 0 && !slices.ContainsFunc(subjects, func(item any) bool {
		subject, _ := item.(map[string]any)
		name, _ := subject["name"].(string)
		return subject["kind"] != rbac.KindServiceAccount || name == "" || subject["namespace"] != k.namespace || !hasOnly(subject, "kind", "name", "namespace")
	})
}

func hasOnly(object map[string]any, fields ...string) bool {
	for name := range object {
		if !slices.Contains(fields, name) {
			return false
		}
	}
	return true
}

// changeMetadata sets the namespace, and adds the mark.
func (k plainKustomization) changeMetadata(o *objects.Object, metadata map[string]any) {
	if k.namespace != "" && o.Kind != "ClusterRoleBinding" {
		metadata["namespace"] = k.namespace
	}
	annotations, _ := metadata["annotations"].(map[string]any)
	if annotations == nil {
		annotations = map[string]any{}
		metadata["annotations"] = annotations
	}
	annotations[markKey] = o.Ref()
}

// isPlainUnit reports whether a unit has one kustomization and reads only files with its objects.
func isPlainUnit(u *objects.Unit, edit *Edit) bool {
	return u.Kind == objects.KustomizationUnit && len(u.Kustomizations) == 1 && u.Kustomizations[0].Dir == u.Root && path.Dir(edit.File) == u.Root &&
		len(u.Renderings)+len(u.Remotes)+len(u.Problems)+len(u.LeftOut)+len(u.NonObjectInputs)+len(edit.Patches) == 0 &&
		len(u.Objects) > 0 && len(u.Objects) <= maxPlainObjects
}

// plainKustomization is a kustomization that lists files and sets a namespace.
type plainKustomization struct {
	resources []string
	namespace string
}

// plainEntry and plainNamespace match the entries and namespaces that kustomize cannot take for anything else.
var (
	plainEntry     = lazyregexp.New(`^(\./)?[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*\.ya?ml$`)
	plainNamespace = lazyregexp.New(`^[a-z]([a-z0-9-]*[a-z0-9])?$`)
)

// readPlainKustomization reads the text of a kustomization as an application writes it. It is false if it has any other field.
func readPlainKustomization(data []byte) (k plainKustomization, ok bool) {
	var fields map[string]any
	if yaml.Unmarshal(data, &fields) != nil {
		return k, false
	}
	for name, value := range fields {
		switch name {
		case "apiVersion":
			ok = value == "kustomize.config.k8s.io/v1beta1"
		case "kind":
			ok = value == "Kustomization"
		case "namespace":
			k.namespace, ok = value.(string)
			ok = ok && plainNamespace().MatchString(k.namespace)
		case "resources":
			k.resources, ok = plainEntries(value)
		default:
			ok = false
		}
		if !ok {
			return k, false
		}
	}
	return k, len(k.resources) > 0
}

func plainEntries(value any) (entries []string, ok bool) {
	list, _ := value.([]any)
	for _, item := range list {
		entry, _ := item.(string)
		if !plainEntry().MatchString(entry) {
			return nil, false
		}
		entries = append(entries, entry)
	}
	return entries, true
}

// files returns the files that the kustomization of a folder lists.
func (k plainKustomization) files(dir string) []string {
	files := make([]string, len(k.resources))
	for i, entry := range k.resources {
		files[i] = path.Join(dir, entry)
	}
	return files
}

// isOnlyKustomization reports whether the folder of a unit has no other kustomization file than the one that is built.
func (b *builder) isOnlyKustomization(u *objects.Unit, edit *Edit) bool {
	return !slices.ContainsFunc(objects.KustomizationNames(), func(name string) bool {
		file := path.Join(u.Root, name)
		_, err := b.files.ReadFile(file)
		return err == nil && (edit.New || file != edit.File)
	}) && (edit.New || b.isRegular(edit.File))
}

// readsOnly reports whether the objects of a unit are all that is in the given files, and these are listed once, have no symbolic link in their
// paths, and are written plainly.
func (b *builder) readsOnly(u *objects.Unit, files []string) bool {
	documents := 0
	for i, name := range files {
		at := slices.IndexFunc(u.Objects, func(o *objects.Object) bool { return o.File == name })
		if at < 0 || slices.Contains(files[:i], name) || objects.IsKustomizationFile(name) || b.files.unmarked[name] || !b.isRegular(name) {
			return false
		}
		file := u.Objects[at].Doc.File
		if !isPlainFile(file) {
			return false
		}
		documents += len(file.Docs)
	}
	return documents == len(u.Objects)
}

// isRegular reports whether no part of a path is a symbolic link.
func (b *builder) isRegular(name string) bool {
	for ; name != "."; name = path.Dir(name) {
		if _, err := b.files.ReadLink(name); err == nil {
			return false
		}
	}
	return true
}

// isPlainFile reports whether kustomize, which divides a file into documents by its lines, finds the same documents: there are no
// other bytes than printable ones and line ends, and a line that begins with the separator of documents is one.
func isPlainFile(file *manifest.File) bool {
	if len(file.Data) > maxPlainSize {
		return false
	}
	separators := 0
	for line := range strings.SplitSeq(string(file.Data), "\n") {
		switch {
		case line == "---":
			separators++
		case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "..."), strings.HasPrefix(line, "%"), !isPrintable(line):
			return false
		}
	}
	return separators <= len(file.Docs)
}

func isPrintable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}
