package refusal

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/provider"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/resid"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/outline"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// state is what is known of a file that a kustomization names.
type state int

const (
	isThere state = iota
	isMissing
	// isOutside files are not in or below the folder of the kustomization, where kustomize reads none.
	isOutside
	unknown
)

// readFile reads a file that the kustomization names. The target is its path, without symbolic links.
func (v *visit) readFile(name string) (data []byte, target string, s state) {
	target = path.Join(v.dir, name)
	switch {
	case path.IsAbs(name), strings.Contains(name, "{{"):
		return nil, "", unknown
	case !fs.ValidPath(target):
		if v.options.Unrestricted {
			return nil, "", unknown
		}
		return nil, "", isOutside
	}
	target, err := render.Resolve(v.walk.files, target)
	if err != nil {
		return nil, "", unknown
	}
	data, err = v.walk.files.ReadFile(target)
	switch {
	case err == nil && !v.options.Unrestricted && !isWithin(path.Dir(target), v.dir):
		return nil, target, isOutside
	case err == nil:
		return data, target, isThere
	case v.walk.isDir(target):
		return nil, target, isMissing
	case !errors.Is(err, fs.ErrNotExist), v.walk.isIgnored(target):
		return nil, target, unknown
	}
	return nil, target, isMissing
}

func (w *Walk) isDir(name string) bool {
	_, err := w.files.ReadDir(name)
	return err == nil
}

func (w *Walk) isIgnored(file string) bool { return w.ignored != nil && w.ignored(file) }

func (w *Walk) hasKustomization(dir string) bool {
	return slices.ContainsFunc(objects.KustomizationNames(), func(name string) bool {
		_, err := w.files.ReadFile(path.Join(dir, name))
		return err == nil || !errors.Is(err, fs.ErrNotExist)
	})
}

// content is what kustomize reads in a file of objects.
type content struct {
	objects []object
	refusal *Refusal
	// unknown is set for a template.
	unknown bool
	// unwritable is set if kustomize may fail to write an object.
	unwritable bool
}

func (w *Walk) content(file string, data []byte) *content {
	found, known := w.read.Load(file)
	if !known {
		found, _ = w.read.LoadOrStore(file, readObjects(file, data))
	}
	return found.(*content)
}

func readObjects(file string, data []byte) *content {
	if ids, ok := plainObjects(data); ok {
		return contentOf(file, ids)
	}
	if isTemplate(data) {
		return &content{unknown: true}
	}
	resources, err := kustomizeObjects(data)
	if err != nil {
		return &content{refusal: Invalid(file, data, err), unknown: errors.Is(err, errPanic)}
	}
	ids := make([]resid.ResId, len(resources))
	for i, r := range resources {
		ids[i] = r.CurId()
	}
	c := contentOf(file, ids)
	c.unwritable = slices.ContainsFunc(resources, func(r *resource.Resource) bool { return !isWritable(r) })
	return c
}

func contentOf(file string, ids []resid.ResId) *content {
	c := &content{objects: make([]object, len(ids))}
	for i, id := range ids {
		c.objects[i] = object{id: id, file: file}
	}
	return c
}

// plainObjects returns the objects of a file that is written plainly, at a fraction of the time of parsing. It is not ok if kustomize might
// read the file in another way, or refuse it.
func plainObjects(data []byte) (ids []resid.ResId, ok bool) {
	data = bytes.TrimPrefix(data, []byte("---\n"))
	for part := range bytes.SplitSeq(data, []byte("\n---\n")) {
		if isBlank(part) {
			continue
		}
		id, ok := plainObject(part)
		if !ok {
			return nil, false
		}
		ids = append(ids, id)
	}
	return ids, true
}

// isBlank reports whether a text has only comments and blank lines.
func isBlank(text []byte) bool {
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		if line = bytes.TrimLeft(line, " "); len(line) > 0 && line[0] != '#' {
			return false
		}
	}
	return true
}

func plainObject(text []byte) (id resid.ResId, ok bool) {
	if bytes.HasPrefix(text, []byte("---")) || bytes.Contains(text, []byte("\n---")) || hasEmptyItem(text) {
		return id, false
	}
	plain := true
	var apiVersion, kind, name, namespace string
	read := outline.Read(text, func(at [][]byte, value outline.Scalar) {
		last := at[len(at)-1]
		if len(last) > 0 && last[0] >= '0' && last[0] <= '9' && isNull(value) {
			plain = false
		}
		var field *string
		switch {
		case len(at) == 1 && string(last) == "apiVersion":
			field = &apiVersion
		case len(at) == 1 && string(last) == "kind":
			field = &kind
		case len(at) == 2 && string(at[0]) == "metadata" && string(last) == "name":
			field = &name
		case len(at) == 2 && string(at[0]) == "metadata" && string(last) == "namespace":
			field = &namespace
		default:
			return
		}
		*field, plain = string(value.Text), plain && isText(value)
	})
	if !read || !plain || kind == "" || name == "" || strings.HasSuffix(kind, "List") {
		return id, false
	}
	group, version := resid.ParseGroupVersion(apiVersion)
	return resid.NewResIdWithNamespace(resid.NewGvk(group, version, kind), name, namespace), true
}

// hasEmptyItem reports whether a list may have an item without a value.
func hasEmptyItem(text []byte) bool {
	for _, mark := range []string{"-\n", "- \n", "- #"} {
		if bytes.Contains(text, []byte(mark)) {
			return true
		}
	}
	return bytes.HasSuffix(bytes.TrimRight(text, " "), []byte("-"))
}

func isNull(value outline.Scalar) bool {
	return !value.Quoted && !value.Block && slices.Contains([]string{"", "~", "null", "Null", "NULL"}, string(value.Text))
}

// isText reports whether a scalar is a string.
func isText(value outline.Scalar) bool {
	if value.Quoted {
		return len(value.Text) > 0
	}
	return !value.Block && len(value.Text) > 0 && (value.Text[0] >= 'a' && value.Text[0] <= 'z' || value.Text[0] >= 'A' && value.Text[0] <= 'Z') && !isNull(value)
}

// errPanic is the error of a file on which kustomize's library fails.
var errPanic = errors.New("the file cannot be read")

func kustomizeObjects(data []byte) (all []*resource.Resource, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%w: %v", errPanic, fault)
		}
	}()
	return provider.NewDefaultDepProvider().GetResourceFactory().SliceFromBytes(data)
}

// Invalid returns the refusal of a file that a tool cannot read, with its error, at the document because of which it is refused.
func Invalid(file string, data []byte, err error) *Refusal {
	scanned := manifest.Scan(file, data)
	at := objects.Position{File: file, Line: 1, Column: 1}
	for _, doc := range scanned.Docs {
		if fault := doc.Parse(); fault != nil {
			var syntax *manifest.SyntaxError
			if errors.As(fault, &syntax) {
				at.Line, at.Column = syntax.Line, syntax.Column
			}
			return &Refusal{Position: at, Reason: "the file is not valid YAML"}
		}
		if reason := whyNoObject(doc); reason != "" {
			at.Line, at.Column = scanned.Position(doc.Root.Span().Start)
			return &Refusal{Position: at, Reason: reason}
		}
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return &Refusal{Position: at, Reason: "the file cannot be read: " + short(line)}
}

// short limits a message of kustomize, which can quote a whole object.
func short(message string) string {
	if before, _, quotes := strings.Cut(message, " in object"); quotes {
		message = before
	}
	const most = 120
	if len(message) > most {
		message = strings.ToValidUTF8(message[:most], "") + "…"
	}
	return message
}

// whyNoObject returns what a document lacks to be an object; "" if it lacks nothing.
func whyNoObject(doc *manifest.Document) string {
	switch {
	case doc.Root == nil || doc.Root.Decode() == nil:
		return ""
	case !doc.Root.IsMapping():
		return "the document is not an object"
	case doc.Root.Get("kind").String() == "":
		return "the document has no kind"
	case doc.Root.Get("metadata").Get("name").String() == "" && !strings.HasSuffix(doc.Root.Get("kind").String(), "List"):
		return "the document has no metadata.name"
	}
	return ""
}
