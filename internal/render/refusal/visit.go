package refusal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// visit reads one kustomization in the order of kustomize (api/internal/target/kusttarget.go).
type visit struct {
	walk    *Walk
	options Options
	dir     string
	// open are the folders from the root to this one, and reached are those below it.
	open, reached []string
	into          *accumulated
	// dependents are entries of this kustomization and those below it.
	dependents dependents

	file string
	data []byte
	// read is the kustomization, with the fields that kustomize fills in.
	read types.Kustomization
	// written are the resources, which are followed by the bases.
	written int
}

// accumulate adds the objects of the kustomization to the others.
func (v *visit) accumulate(component bool) *Refusal {
	if refusal, ok := v.load(); refusal != nil || !ok {
		v.into.hide()
		return refusal
	}
	if refusal := v.kind(component); refusal != nil {
		return refusal
	}
	for _, check := range []func() *Refusal{
		v.openAPI, v.resources, v.schemas, v.generators, v.charts, v.components, v.inputs, v.replicas, v.findAbsent, v.order,
	} {
		if refusal := check(); refusal != nil {
			return refusal
		}
	}
	if v.changes() {
		v.into.change()
		v.renames()
	}
	return nil
}

// load reads the kustomization. It is not ok if the file is a template, or is not in the tree for a reason other than that it does not
// exist.
func (v *visit) load() (refusal *Refusal, ok bool) {
	isRoot := len(v.open) == 1
	if isRoot && v.options.File != "" {
		v.file, v.data = v.options.File, []byte(v.options.Text)
	}
	for _, name := range objects.KustomizationNames() {
		if path.Join(v.dir, name) == v.file {
			continue
		}
		data, err := v.walk.files.ReadFile(path.Join(v.dir, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, false
		case v.file != "":
			at := objects.Position{File: path.Join(v.dir, name), Line: 1, Column: 1}
			return &Refusal{Position: at, Reason: v.file + " is in the same folder, and a folder can have only one kustomization", Dir: v.dir}, true
		}
		v.file, v.data = path.Join(v.dir, name), data
	}
	if v.file == "" || isTemplate(v.data) {
		return nil, false
	}
	if err := v.decode(); err != nil {
		return v.invalid(err), true
	}
	v.written = len(v.read.Resources)
	v.read.FixKustomization()
	if v.read.CheckEmpty() != nil {
		return v.refuse(nil, "the kustomization is empty"), true
	}
	if faults := v.read.EnforceFields(); len(faults) > 0 {
		return v.refuse(manifest.Path{"apiVersion"}, "%s", strings.Join(faults, ", ")), true
	}
	return nil, true
}

func (v *visit) decode() error {
	if v.options.Flux && len(v.open) == 1 {
		return yaml.Unmarshal(v.data, &v.read)
	}
	return v.read.Unmarshal(v.data)
}

// invalid returns the refusal of a kustomization that cannot be decoded, at the field that the error names.
func (v *visit) invalid(err error) *Refusal {
	var wrongType *json.UnmarshalTypeError
	message := strings.TrimPrefix(err.Error(), "invalid Kustomization: ")
	at, unknown := manifest.Path(nil), false
	switch _, name, is := strings.Cut(message, "unknown field "); {
	case is:
		field, quoteErr := strconv.Unquote(name)
		if quoteErr != nil {
			field = name
		}
		at, message, unknown = v.find(field), "kustomize does not know this field", true
	case errors.As(err, &wrongType):
		at = manifest.Path{strings.Split(wrongType.Field, ".")[0]}
		message = fmt.Sprintf("%s cannot be a %s", wrongType.Field, wrongType.Value)
	}
	line, _, _ := strings.Cut(message, "\n")
	refusal := v.refuse(at, "%s", line)
	refusal.Uncertain = unknown
	return refusal
}

// find returns the path of a key in the kustomization.
func (v *visit) find(name string) manifest.Path {
	for _, doc := range manifest.Scan(v.file, v.data).Docs {
		if doc.Parse() == nil {
			if at, found := findKey(doc.Root, name, nil); found {
				return at
			}
		}
	}
	return nil
}

func findKey(n *manifest.Node, name string, at manifest.Path) (manifest.Path, bool) {
	if n.IsSequence() {
		for i, item := range n.Items() {
			if found, is := findKey(item, name, at.Join(strconv.Itoa(i))); is {
				return found, true
			}
		}
	}
	if !n.IsMapping() {
		return nil, false
	}
	for _, field := range n.Fields() {
		if at := at.Join(field.Key.String()); field.Key.String() == name {
			return at, true
		}
	}
	for _, field := range n.Fields() {
		if found, is := findKey(field.Value, name, at.Join(field.Key.String())); is {
			return found, true
		}
	}
	return nil, false
}

// refuse returns a refusal at a path in the kustomization.
func (v *visit) refuse(at manifest.Path, format string, args ...any) *Refusal {
	return &Refusal{Position: place(v.file, v.data, v.asWritten(at)), Reason: fmt.Sprintf(format, args...), Dir: v.dir}
}

// missing returns the refusal of something that is not in the tree. It can be where the folder is built: an export or a checkout leaves files out.
func (v *visit) missing(at manifest.Path, format string, args ...any) *Refusal {
	refusal := v.refuse(at, format, args...)
	refusal.Uncertain = true
	return refusal
}

// outside returns the refusal of a file that is not in or below the folder.
func (v *visit) outside(at manifest.Path, format string, args ...any) *Refusal {
	refusal := v.missing(at, format, args...)
	refusal.Outside = true
	return refusal
}

// entry returns the path of an item of a list.
func (v *visit) entry(field string, index int) manifest.Path {
	if field == "resources" && index >= v.written {
		field, index = "bases", index-v.written
	}
	return manifest.Path{field, strconv.Itoa(index)}
}

// asWritten returns a path with the field as the file has it, in any case.
func (v *visit) asWritten(at manifest.Path) manifest.Path {
	if len(at) == 0 {
		return at
	}
	for _, doc := range manifest.Scan(v.file, v.data).Docs {
		if doc.Parse() != nil || !doc.Root.IsMapping() {
			continue
		}
		for _, f := range doc.Root.Fields() {
			if strings.EqualFold(f.Key.String(), at[0]) {
				return append(manifest.Path{f.Key.String()}, at[1:]...)
			}
		}
	}
	return at
}

// kind refuses a component that is listed as a resource, and the other way round.
func (v *visit) kind(component bool) *Refusal {
	switch isComponent := v.read.Kind == types.ComponentKind; {
	case len(v.open) == 1 || component == isComponent:
		return nil
	case component:
		return v.refuse(manifest.Path{"kind"}, "the folder is listed in components, and its kind is not Component")
	}
	return v.refuse(manifest.Path{"kind"}, "the folder is listed in resources, and its kind is Component")
}

// resources adds the objects of the files and folders that are listed.
func (v *visit) resources() *Refusal {
	for i, name := range v.read.Resources {
		if refusal := v.resource(i, name); refusal != nil {
			return refusal
		}
	}
	return nil
}

func (v *visit) resource(i int, name string) *Refusal {
	data, target, state := v.readFile(name)
	switch {
	case state != isThere && isElsewhere(name):
		v.into.open, v.into.reach.lacks = true, true
		return nil
	case state == unknown:
		v.into.hide()
		return nil
	case state == isThere:
		return v.addFile(i, name, target, data)
	}
	dir, refusal, ok := v.below("resources", i, name, state)
	if refusal != nil || !ok {
		if !ok {
			v.into.hide()
		}
		return refusal
	}
	child := v.walk.folder(dir, v.options, v.open)
	if child.refusal != nil {
		return child.refusal
	}
	for _, reached := range append([]string{dir}, child.reached...) {
		if isWithin(v.dir, reached) {
			return v.refuse(v.entry("resources", i), "resources: %q leads back to %s, and a kustomization can list no folder that contains it", name, reached)
		}
		v.reached = append(v.reached, reached)
	}
	v.into.open = v.into.open || child.objects.open
	v.into.reach.add(child.objects.reach)
	for entry, absent := range child.dependents {
		v.dependents.add(entry, absent)
	}
	return v.addAll(i, name, child.objects.list)
}

// addFile adds the objects of a file.
func (v *visit) addFile(i int, name, file string, data []byte) *Refusal {
	content := v.walk.content(file, data)
	switch {
	case content.unknown:
		v.into.hide()
		return nil
	case content.refusal != nil:
		refusal := *content.refusal
		refusal.Dir = v.dir
		return &refusal
	}
	return v.addAll(i, name, content.objects)
}

func (v *visit) addAll(i int, name string, all []object) *Refusal {
	for _, o := range all {
		if first, twice := v.into.add(o); twice {
			return v.refuse(v.entry("resources", i), "resources: %q adds %s, which %s has added already", name, o, first.file)
		}
	}
	return nil
}

// below returns the folder that an entry names.
func (v *visit) below(field string, i int, name string, state state) (dir string, refusal *Refusal, ok bool) {
	target := path.Join(v.dir, name)
	switch {
	case path.IsAbs(name) || !fs.ValidPath(target), strings.Contains(name, "{{"):
		return "", nil, false
	case isAmbiguous(name):
		return "", v.refuse(v.entry(field, i), "%s: %q is ambiguous: two entries may have become one", field, name), true
	}
	dir, err := render.Resolve(v.walk.files, target)
	if err != nil {
		return "", nil, false
	}
	if _, err := v.walk.files.ReadDir(dir); err != nil {
		switch {
		case isElsewhere(name) || v.walk.isIgnored(target):
			return "", nil, false
		case state == isOutside:
			return "", v.outside(v.entry(field, i), "%s: %q is not in or below the folder of the kustomization", field, name), true
		}
		return "", v.missing(v.entry(field, i), "%s: %q does not exist", field, name), true
	}
	for _, open := range v.open {
		if isWithin(open, dir) {
			return "", v.refuse(v.entry(field, i), "%s: %q leads back to a folder that lists it", field, name), true
		}
	}
	if !v.walk.hasKustomization(dir) {
		if v.walk.isIgnored(path.Join(dir, objects.KustomizationNames()[0])) {
			return "", nil, false
		}
		return "", v.missing(v.entry(field, i), "%s: %q is a folder without a kustomization", field, name), true
	}
	return dir, nil, true
}

// components adds what the components add, to the same objects.
func (v *visit) components() *Refusal {
	for i, name := range v.read.Components {
		if isElsewhere(name) {
			v.into.hide()
			continue
		}
		dir, refusal, ok := v.below("components", i, name, isMissing)
		if refusal != nil {
			return refusal
		}
		if !ok {
			v.into.hide()
			continue
		}
		child := visit{walk: v.walk, options: v.options, dir: dir, open: append(v.open[:len(v.open):len(v.open)], dir), into: v.into, dependents: v.dependents}
		if refusal := child.accumulate(true); refusal != nil {
			return refusal
		}
		v.reached = append(append(v.reached, dir), child.reached...)
	}
	return nil
}

// isAmbiguous reports whether kustomize takes a path for two entries that have become one (api/internal/loader/fileloader.go).
func isAmbiguous(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part != ".." && part != "" && part != "." && strings.Contains(part, "..") {
			return true
		}
	}
	return false
}

// isElsewhere reports whether an entry may name something that kustomize fetches.
func isElsewhere(name string) bool {
	return render.Fetched(name) || objects.Entry{Value: name}.Remote()
}

// isTemplate reports whether a file is a template, which becomes YAML only when it is rendered, or is not the text that is built: of
// Git LFS, or encrypted.
func isTemplate(data []byte) bool {
	for _, mark := range []string{"{{", "{%", "<%", "version https://git-lfs.github.com/spec/", "\x00"} {
		if bytes.Contains(data, []byte(mark)) {
			return true
		}
	}
	return false
}

// isWithin reports whether a folder is another one, or below it.
func isWithin(dir, other string) bool {
	return other == "." || dir == other || strings.HasPrefix(dir, other+"/")
}
