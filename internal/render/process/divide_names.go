package process

import (
	"bytes"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// rename is what a kustomization does to the names of objects.
type rename struct{ prefix, suffix string }

// listed is a file with objects.
type listed struct {
	path    string
	data    []byte
	renames [][]rename
	count   int
	// own are the names of its objects, names all that they have at some time of the build, and texts all scalars in it.
	own, names, texts map[string]bool
	// hasNamespace is set if one of its objects can be a Namespace.
	hasNamespace bool
	// group is another file to which it belongs; nil if it represents its group.
	group *listed
}

// list adds a file with objects, which kustomizations rename. It is false if it cannot be read.
func (d *division) list(file string, renames []rename) bool {
	f := d.byPath[file]
	if f == nil {
		data, err := d.files.ReadFile(file)
		if err != nil {
			return false
		}
		f = &listed{path: file, data: data, count: documentsIn(data), own: map[string]bool{}, names: map[string]bool{}, texts: map[string]bool{}}
		d.byPath[file] = f
		d.listed = append(d.listed, f)
	}
	f.renames = append(f.renames, renames)
	return true
}

// documentsIn estimates the number of objects in a file by its bytes, because most folders are too small to be divided.
func documentsIn(data []byte) int {
	count := bytes.Count(data, []byte("\nkind:")) + bytes.Count(data, []byte(`"kind"`))
	if bytes.HasPrefix(data, []byte("kind:")) {
		count++
	}
	return count
}

// documents is the number of objects in all files.
func (d *division) documents() int {
	total := 0
	for _, f := range d.listed {
		total += f.count
	}
	return total
}

// parse reads the objects in all files. It is false if one cannot be read as kustomize reads it.
func (d *division) parse() bool {
	for _, f := range d.listed {
		nodes, err := (&kio.ByteReader{Reader: bytes.NewReader(f.data), OmitReaderAnnotations: true}).Read()
		if err != nil {
			return false
		}
		f.count, f.data = len(nodes), nil
		for _, node := range nodes {
			if node.YNode().Kind != yaml.MappingNode || !f.collect(node.YNode(), "") {
				return false
			}
		}
		d.hasNamespace = d.hasNamespace || f.hasNamespace
		for name := range f.own {
			for _, renames := range f.renames {
				for _, other := range renamed(name, renames) {
					f.names[other] = true
				}
			}
		}
	}
	return true
}

// collect adds the texts of a node, and the names of objects in it, which are items of lists as well. It is false for aliases, which can
// stand for anything.
func (f *listed) collect(n *yaml.Node, parent string) bool {
	switch n.Kind {
	case yaml.ScalarNode:
		f.texts[n.Value] = true
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			if parent == "metadata" && key.Value == "name" {
				f.own[value.Value] = true
			}
			if key.Value == "kind" {
				f.hasNamespace = f.hasNamespace || strings.TrimSuffix(value.Value, "List") == "Namespace"
			}
			f.texts[key.Value] = true
			if !f.collect(value, key.Value) {
				return false
			}
		}
	case yaml.SequenceNode, yaml.DocumentNode:
		for _, item := range n.Content {
			if !f.collect(item, "") {
				return false
			}
		}
	case yaml.AliasNode:
		return false
	}
	return true
}

// renamed returns the names that an object can have during a build: after each kustomization, the innermost first, and between its prefix
// and its suffix.
func renamed(name string, renames []rename) []string {
	all := []string{name}
	for i := len(renames) - 1; i >= 0; i-- {
		r := renames[i]
		for _, known := range all[:len(all):len(all)] {
			all = append(all, r.prefix+known, known+r.suffix, r.prefix+known+r.suffix)
		}
	}
	return all
}

// root returns the file that represents the group of a file.
func (f *listed) root() *listed {
	for f.group != nil {
		if f.group.group != nil {
			f.group = f.group.group
		}
		f = f.group
	}
	return f
}

func join(a, b *listed) {
	if a, b = a.root(), b.root(); a != b {
		b.group = a
	}
}

// parts divides the files so that no text in one part is a name in another. There is at most one if that is not possible, or not worth it.
func (d *division) parts(size sizes) []map[string]bool {
	owners := map[string]*listed{}
	for _, f := range d.listed {
		for name := range f.names {
			if other := owners[name]; other != nil {
				join(other, f)
			} else {
				owners[name] = f
			}
		}
	}
	for text := range d.texts {
		if owners[text] != nil {
			return nil
		}
	}
	for _, f := range d.listed {
		for text := range f.texts {
			if owner := owners[text]; owner != nil {
				join(owner, f)
			}
		}
	}
	members := map[*listed][]*listed{}
	for _, f := range d.listed {
		members[f.root()] = append(members[f.root()], f)
	}
	var parts []map[string]bool
	filled := size.part
	for _, f := range d.listed {
		if f.root() != f {
			continue
		}
		if filled >= size.part {
			parts, filled = append(parts, map[string]bool{}), 0
		}
		for _, member := range members[f] {
			parts[len(parts)-1][member.path] = true
			filled += member.count
		}
	}
	return parts
}
