package render

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strconv"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/plugins"
)

// LeftOut is an entry of a kustomization without which it was built.
type LeftOut struct {
	File         string
	Line, Column int
	// Field is the list, and Index that of the entry in it.
	Field string
	Index int
	// Target is the file or folder of the entry; "" if there is none in the repository.
	Target string
	// Reason is why it was left out, in a sentence.
	Reason string
}

// Entry identifies an entry of a list in a kustomization by its text, which stays the same when other entries are removed.
type Entry struct{ file, field, text string }

// EntryOf returns what identifies an entry: a value of a kustomization in JSON, with numbers as [json.Number].
func EntryOf(file, field string, entry any) Entry {
	text, err := json.Marshal(entry)
	if err != nil {
		text = nil
	}
	return Entry{file, field, string(text)}
}

func (c *checker) keyOf(field string, entry any) Entry { return EntryOf(c.file.Path, field, entry) }

// leave leaves out an entry, or returns an error if nothing may be left out.
func (c *checker) leave(field string, index int, target, reason string) error {
	line, column := c.position(manifest.Path{field, strconv.Itoa(index)})
	if !c.build.partial {
		return &Error{File: c.file.Path, Line: line, Column: column, Message: reason}
	}
	c.build.left = append(c.build.left, LeftOut{File: c.file.Path, Line: line, Column: column, Field: field, Index: index, Target: target, Reason: reason})
	c.changed = true
	return nil
}

// filter keeps the items of a list for which keep is true. The function gets the index that the item has in the user's file.
func (c *checker) filter(field string, keep func(i int, item any) (bool, error)) error {
	list, _ := c.fields[field].([]any)
	kept, indexes := []any{}, []int(nil) // kustomize refuses a file without fields as empty, and takes an empty list for one
	for i, item := range list {
		if before := c.indexes[field]; before != nil {
			i = before[i]
		}
		ok, err := keep(i, item)
		if err != nil {
			return err
		}
		if ok {
			kept, indexes = append(kept, item), append(indexes, i)
		}
	}
	if len(kept) < len(list) {
		c.fields[field], c.indexes[field], c.changed = kept, indexes, true
	}
	return nil
}

// skipped leaves out the entries without which a build that failed is repeated.
func (c *checker) skipped() error {
	for _, field := range skippableFields {
		err := c.filter(field, func(i int, item any) (bool, error) {
			reason, skip := c.build.skip[c.keyOf(field, item)]
			if !skip {
				return true, nil
			}
			name, _ := item.(string)
			return false, c.leave(field, i, c.targetOf(name), reason)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// targetOf returns what an entry names in the repository; "" if it is nothing.
func (c *checker) targetOf(name string) string {
	target := path.Join(path.Dir(c.file.Path), name)
	if name == "" || !fs.ValidPath(target) || path.IsAbs(name) {
		return ""
	}
	return target
}

// missing leaves out the resources that do not exist. A component can change every object, so that nothing is built without it.
func (c *checker) missing() error {
	if !c.build.partial {
		return nil // kustomize has the message
	}
	for _, field := range []string{"resources", "bases"} {
		err := c.filter(field, func(i int, item any) (bool, error) {
			name, _ := item.(string)
			target := c.targetOf(name)
			if isRemote(name) || target != "" && c.build.accumulates(target) {
				return true, nil
			}
			return false, c.leave(field, i, target, fmt.Sprintf("%s: %q is not in the repository", field, name))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// accumulates reports whether a resource exists: a file, or a folder with a kustomization.
func (b *kustomizeBuild) accumulates(name string) bool {
	real, err := Resolve(b.files, name)
	if err != nil {
		return false
	}
	if !isDir(b.files, real) {
		return exists(b.files, real)
	}
	return b.kustomizationIn(real) != ""
}

// kustomizationIn returns the kustomization file of a folder, or "".
func (b *kustomizeBuild) kustomizationIn(dir string) string {
	for _, name := range objects.KustomizationNames() {
		if _, err := b.files.ReadFile(path.Join(dir, name)); err == nil {
			return path.Join(dir, name)
		}
	}
	return ""
}

// plugins leaves out the generators and validators that are programs. A transformer can change every object, so that nothing
// is built without it.
func (c *checker) plugins() error {
	for _, field := range []string{"generators", "validators", "transformers"} {
		err := c.filter(field, func(i int, item any) (bool, error) {
			name, _ := item.(string)
			if Fetched(name) {
				return true, nil // it is refused later
			}
			configs, err := plugins.Configs(c.build.files.ReadFile, path.Dir(c.file.Path), name)
			if charts := generatedCharts(configs, i); field == "generators" && err == nil && charts != nil {
				c.generated = append(c.generated, charts...)
				return false, nil
			}
			program, runs := programOf(configs)
			switch {
			case err == nil && !runs:
				return true, nil
			case err != nil:
				program = "its configuration cannot be read: " + err.Error()
			default:
				program = program + " is a program, and salint runs no programs"
			}
			if field != "transformers" {
				return false, c.leave(field, i, "", field+": "+program+pluginEffect[field])
			}
			line, column := c.position(manifest.Path{field, strconv.Itoa(i)})
			return false, &Error{File: c.file.Path, Line: line, Column: column, Message: field + ": " + program}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// pluginEffect is what is unknown without a plugin.
var pluginEffect = map[string]string{
	"generators": ": the objects that it adds were not checked",
	"validators": ": the objects were checked without it",
}

// programOf returns the first configuration of a plugin that is not part of kustomize.
func programOf(configs []plugins.Config) (name string, runs bool) {
	for _, config := range configs {
		if !config.Builtin() {
			return fmt.Sprintf("%s of %s", config.Kind(), config.APIVersion()), true
		}
	}
	return "", false
}
