package states

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/change"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/files/worktree"
	"github.com/salint/salint/internal/kube/objects"
)

// contents finds content that is new or changed and cannot be read: encrypted fields that decide, pointers of Git LFS, and what symbolic links lead
// to.
type contents struct {
	before, after read
	// changed are the changed files, and kinds those of the objects that are compared.
	changed map[string]bool
	kinds   map[string][]string
	// tests are those of the changed files that are data of tests.
	tests map[string]bool
	// encrypted are the encrypted values of the changed files as they were.
	encrypted map[string]bool
	// settings are the names of ConfigMaps that decide: those that are compared, and those from which applications take variables and values.
	settings map[string]bool
}

func newContents(before, after read, changed map[string]bool, kinds map[string][]string) *contents {
	c := &contents{before: before, after: after, changed: changed, kinds: kinds, tests: map[string]bool{}, settings: map[string]bool{"aws-auth": true, "argocd-cm": true, "argocd-rbac-cm": true}}
	for _, file := range after.OfTests(changed) {
		c.tests[file] = true
	}
	if after.Applications == nil {
		return c
	}
	for _, a := range after.Applications.Result.Applications {
		walkTexts("", a.Object.JSON(), func(path, value string) {
			if path = digits().ReplaceAllString(path, ""); strings.HasSuffix(path, "From..name") {
				c.settings[value] = true
			}
		})
	}
	return c
}

var digits = lazyregexp.New(`\d+`)

// add adds what of a changed file cannot be read.
func (c *contents) add(r *change.Report, file string, text []byte) {
	if bytes.HasPrefix(text, []byte(lfsPointer)) && c.matters(file) {
		if was, err := c.before.Text(file); err == nil && bytes.HasPrefix(was, []byte(lfsPointer)) {
			r.NotRead.AddContent(objects.Position{File: file, Line: 1, Column: 1}, "another object of Git LFS, so the contents were not compared: run `git lfs pull`")
		}
		return
	}
	if repo.IsManifest(file) && bytes.Contains(text, []byte(encryptedValue)) {
		c.addEncrypted(r, manifest.Scan(file, text))
	}
}

// lfsPointer begins a file of Git LFS of which only the pointer is here.
const lfsPointer = "version https://git-lfs.github.com/spec/"

// matters reports whether a unit reads a file, or whether it is a manifest.
func (c *contents) matters(file string) bool {
	return repo.IsManifest(file) || slices.ContainsFunc(c.after.Units, func(u *objects.Unit) bool { return u.Reads(file) })
}

// encryptedValue begins a value that sops has encrypted.
//
// Source: https://github.com/getsops/sops#encryption-protocol.
const encryptedValue = "ENC[AES256_GCM,"

// addEncrypted adds the encrypted fields of documents that decide and are new.
func (c *contents) addEncrypted(r *change.Report, f *manifest.File) {
	for _, doc := range f.Docs {
		if !bytes.Contains(doc.Bytes(), []byte(encryptedValue)) || doc.Parse() != nil {
			continue
		}
		var fields []string
		for path, value := range c.encryptedFields(doc) {
			if name := strings.Split(path, ".")[0]; !c.wasThere(value) && !slices.Contains(fields, name) {
				fields = append(fields, name)
			}
		}
		if len(fields) == 0 {
			continue
		}
		slices.Sort(fields)
		line, column := f.Position(doc.Span.Start)
		r.NotRead.AddContent(objects.Position{File: f.Path, Line: line, Column: column}, "encrypted fields that decide are not read: "+words.And(fields))
	}
}

// wasThere reports whether an encrypted value was in a file that changed, or that was renamed.
func (c *contents) wasThere(value string) bool {
	if c.encrypted == nil {
		c.encrypted = map[string]bool{}
		for file := range c.changed {
			c.addValues(file)
		}
		for _, file := range c.before.Collection.Names {
			if _, stays := slices.BinarySearch(c.after.Collection.Names, file); !stays {
				c.addValues(file)
			}
		}
	}
	return c.encrypted[value]
}

func (c *contents) addValues(file string) {
	text, err := c.before.Text(file)
	if err != nil || !repo.IsManifest(file) || !bytes.Contains(text, []byte(encryptedValue)) {
		return
	}
	for _, doc := range manifest.Scan(file, text).Docs {
		if doc.Parse() != nil {
			continue
		}
		for _, value := range c.encryptedFields(doc) {
			c.encrypted[value] = true
		}
	}
}

// encryptedFields returns the encrypted values of a document that decide what is granted, by their path: its kind, and for kinds that are compared
// everything but data.
func (c *contents) encryptedFields(doc *manifest.Document) map[string]string {
	root, _ := doc.Root.Decode().(map[string]any)
	found := map[string]string{}
	if metadata, _ := root["metadata"].(map[string]any); root["kind"] == "ConfigMap" && !isEncrypted(metadata["name"]) {
		if name, _ := metadata["name"].(string); !c.settings[name] {
			return found
		}
	}
	isHidden := isEncrypted(root["kind"]) || isEncrypted(root["apiVersion"])
	kind, _ := root["kind"].(string)
	_, compared := c.kinds[kind]
	walkTexts("", root, func(path, value string) {
		if isEncrypted(value) && (isHidden && !isData(path) || compared && decides(kind, path)) {
			found[path] = value
		}
	})
	return found
}

func isEncrypted(value any) bool {
	text, _ := value.(string)
	return strings.HasPrefix(text, encryptedValue)
}

// isData reports whether a path is in the data of a Secret or ConfigMap, or in what sops adds to a document.
func isData(path string) bool {
	name, _, _ := strings.Cut(path, ".")
	return name == "data" || name == "stringData" || name == "binaryData" || name == "sops"
}

// decides reports whether a field of a kind that is compared decides what is granted.
func decides(kind, path string) bool {
	switch {
	case kind == "ConfigMap":
		return !strings.HasPrefix(path, "sops.")
	case isData(path):
		return false
	case slices.Contains(workloads, kind): // only the account
		return strings.Contains(path, "serviceAccount")
	case kind == "Secret":
		return path == "type" || strings.HasPrefix(path, "metadata.annotations.kubernetes.io/service-account")
	case strings.HasPrefix(path, "metadata.annotations."), strings.HasPrefix(path, "status."):
		return false
	}
	return true
}

// walkTexts calls a function with the texts in a value, with their paths.
func walkTexts(path string, value any, visit func(path, text string)) {
	switch value := value.(type) {
	case string:
		visit(path, value)
	case []any:
		for i, item := range value {
			walkTexts(fmt.Sprintf("%s.%d", path, i), item, visit)
		}
	case map[string]any:
		for key, child := range value {
			walkTexts(strings.TrimPrefix(path+"."+key, "."), child, visit)
		}
	}
}

// addLinks adds the symbolic links with the name of a manifest that lead to a file which is not read under its own name, or out of the repository, if
// the link or the content is new. A new link that is not read is reported anyway.
func (c *contents) addLinks(r *change.Report, selects func(file string) bool) {
	links := c.after.Links()
	for _, link := range c.after.Repository.NotRead {
		file := link.Position.File
		if !selects(file) || !strings.Contains(link.Message, "symlink") {
			continue
		}
		real, inside := links[file]
		text, err := c.after.Text(file)
		was, errBefore := c.before.Text(file)
		switch {
		case !inside && c.changed[file], errors.Is(err, worktree.ErrOutside) && c.changed[file]:
			r.NotRead.AddContent(link.Position, "the symbolic link leads somewhere else than before, out of the repository")
		case err == nil && errBefore != nil && c.isOfObjects(file, text) && !c.hasNew(file, text, nil):
			r.NotRead.Settle(link.Position)
		case err == nil && (c.changed[file] || c.changed[real]) && c.hasNew(file, text, was):
			r.NotRead.AddContent(link.Position, fmt.Sprintf("the symbolic link leads to %s, which is not read as a manifest, and has another content than before", real))
		}
	}
}

// hasNew reports whether a text has a document that decides and that the earlier one does not have, or one that cannot be parsed.
func (c *contents) hasNew(file string, text, was []byte) bool {
	there := map[string]bool{}
	for _, doc := range manifest.Scan(file, was).Docs {
		there[contentOf(doc)] = true
	}
	return slices.ContainsFunc(manifest.Scan(file, text).Docs, func(doc *manifest.Document) bool {
		content := contentOf(doc)
		return (c.isCompared(doc) || content == "") && !there[content]
	})
}

// isCompared reports whether a document can be an object that is compared.
func (c *contents) isCompared(doc *manifest.Document) bool {
	named, is := c.kinds[doc.Kind()]
	mentions := func(word string) bool { return bytes.Contains(doc.Bytes(), []byte(word)) }
	return isEncrypted(doc.Kind()) || is && (len(named) == 0 || slices.ContainsFunc(named, mentions))
}

// contentOf identifies the content of a document that decides; "" if it is not YAML.
func contentOf(doc *manifest.Document) string {
	if doc.Parse() != nil {
		return ""
	}
	content := doc.Root.Decode()
	if slices.Contains(workloads, doc.Kind()) { // only the account decides
		accounts := map[string]string{}
		walkTexts("", content, func(path, value string) {
			if path == "kind" || path == "metadata.namespace" || path == "metadata.name" || strings.Contains(path, "serviceAccount") {
				accounts[path] = value
			}
		})
		content = accounts
	}
	text, err := json.Marshal(content)
	if err != nil {
		return ""
	}
	return string(text)
}
