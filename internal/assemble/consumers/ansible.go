package consumers

import (
	"bytes"
	"path"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/commands"
	"github.com/salint/salint/internal/files/manifest"
)

// ansibleModules are the modules that apply manifests, and the fields with their files.
var ansibleModules = map[string][]string{
	"kubernetes.core.k8s": {"src", "template"}, "community.kubernetes.k8s": {"src", "template"}, "k8s": {"src", "template"}, "community.okd.k8s": {"src", "template"},
	"redhat.openshift.k8s":     {"src", "template"},
	"ansible.builtin.template": {"src"}, "template": {"src"}, "ansible.builtin.include_vars": {"file"},
	"kubernetes.core.helm": {"chart_ref"},
}

// lookup matches the lookups of Ansible that read files.
var lookup = lazyregexp.New(`\b(?:lookup|query|q)\(\s*['"](?:ansible\.builtin\.)?(?:file|template|fileglob|first_found)['"]\s*,\s*(?:(?:playbook_dir|role_path|inventory_dir)\s*[~+]\s*)?['"]([^'"]+)['"]`)

// isAnsible reports whether a text has tasks of Ansible that use files.
func isAnsible(data []byte) bool {
	return bytes.Contains(data, []byte("lookup(")) || bytes.Contains(data, []byte("query(")) || bytes.Contains(data, []byte("with_file")) || bytes.Contains(data, []byte("k8s:")) || bytes.Contains(data, []byte("template:")) && bytes.Contains(data, []byte("ansible."))
}

// ansible reads the tasks of a playbook or role, and its variables.
func (d *document) ansible() {
	d.tasks(d.root, 0)
}

// maxTasks limits the depth of blocks of tasks.
const maxTasks = 20

func (d *document) tasks(n *manifest.Node, depth int) {
	if depth > maxTasks {
		return
	}
	for _, item := range n.Items() {
		d.tasks(item, depth+1)
	}
	for _, field := range n.Fields() {
		key, value := field.Key.String(), field.Value
		for _, name := range ansibleModules[key] {
			if src := value.Get(name); src.IsScalar() {
				d.ansibleFile(src, src.String())
			}
			if src := value.Get(name).Get("path"); src.IsScalar() {
				d.ansibleFile(src, src.String())
			}
		}
		if value.IsScalar() {
			for _, m := range lookup().FindAllStringSubmatch(value.String(), -1) {
				d.ansibleFile(value, strings.TrimPrefix(m[1], "/"))
			}
		}
		if strings.HasSuffix(key, "with_fileglob") || strings.HasSuffix(key, "with_file") {
			for _, item := range append(value.Items(), value) {
				if item.IsScalar() {
					d.ansibleFile(item, item.String())
				}
			}
		}
		d.tasks(value, depth+1)
	}
}

// ansibleFile adds a file that a task uses. Ansible looks for it in the folders of the role and of the playbook.
func (d *document) ansibleFile(n *manifest.Node, name string) {
	if strings.Contains(name, "lookup(") {
		return
	}
	for _, variable := range []string{"{{ role_path }}", "{{ playbook_dir }}", "{{role_path}}", "{{playbook_dir}}"} {
		name = strings.ReplaceAll(name, variable+"/", "")
	}
	name = template(name)
	if strings.Trim(name, commands.Unknown+"*./") == "" {
		return // the items of a loop, which are read where they are named
	}
	var paths []string
	dirs := []string{d.dir, path.Dir(d.dir)}
	if playbook, _, is := strings.Cut("/"+d.dir, "/roles/"); is {
		dirs = append(dirs, path.Join(".", playbook))
	}
	for _, dir := range dirs {
		for _, folder := range []string{"files", "templates", "tasks", "."} {
			paths = append(paths, path.Join(dir, folder, name))
		}
	}
	d.index.addFiles(d.at(n, "Ansible"), paths)
}
