package consumers

import (
	"path"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
)

var commandsTemplate = lazyregexp.New(`\$*\{\{[^{}]*\}\}|\$\{[^{}]*\}|\$\([^()]*\)`)

// controllers are the kinds of objects whose controllers take files of a repository, in a form that salint does not build.
var controllers = []struct {
	group, kind string
	read        func(*document)
}{
	{"source.toolkit.fluxcd.io", "GitRepository", (*document).gitRepository},
	{"source.toolkit.fluxcd.io", "Bucket", (*document).store},
	{"source.toolkit.fluxcd.io", "OCIRepository", (*document).store},
	{"source.extensions.fluxcd.io", "ArtifactGenerator", (*document).artifactGenerator},
	{"apps.open-cluster-management.io", "Subscription", (*document).subscription},
	{"ran.openshift.io", "PolicyGenTemplate", (*document).policyGenTemplate},
	{"kapp.k14s.io", "Config", (*document).kappConfig},
	{"kappctrl.k14s.io", "App", (*document).kappController},
	{"argoproj.io", "ConfigManagementPlugin", (*document).plugin},
	{"config.projectsveltos.io", "Profile", (*document).sveltos},
}

// flux is the name that `flux bootstrap` gives to the repository.
const flux = "flux-system"

// gitRepository reads the folders of this repository that another one includes.
func (d *document) gitRepository() {
	if !d.isObject("source.toolkit.fluxcd.io", "GitRepository") {
		return
	}
	d.gitRepositories()
	for _, item := range d.root.Get("spec").Get("include").Items() {
		if !d.isHere(item.Get("repository").Get("name").String()) {
			continue
		}
		from := path.Clean("./" + item.Get("fromPath").String())
		d.index.add(d.at(item, "GitRepository "+d.name()), []string{from})
	}
}

func (d *document) name() string { return d.root.Get("metadata").Get("name").String() }

// isHere reports whether the GitRepository of a name is this repository, as far as known.
func (d *document) isHere(name string) bool {
	if name == flux {
		return true
	}
	address, known := d.gitRepositories()[name]
	if !known {
		return true // the folder decides
	}
	_, here := sources.FolderHere(address, d.index.from.Remotes)
	return here
}

// gitRepositories returns the addresses of the GitRepositories of the repository, by their names.
func (d *document) gitRepositories() map[string]string {
	if d.index.addresses != nil {
		return d.index.addresses
	}
	d.index.addresses = map[string]string{}
	for _, file := range d.index.from.Texts {
		data := d.index.from.Read(file)
		if !strings.Contains(string(data), "GitRepository") {
			continue
		}
		for _, doc := range manifest.Scan(file, data).Docs {
			if doc.Parse() == nil && doc.Root.Get("kind").String() == "GitRepository" {
				d.index.addresses[doc.Root.Get("metadata").Get("name").String()] = doc.Root.Get("spec").Get("url").String()
			}
		}
	}
	return d.index.addresses
}

func (d *document) store() {
	if d.isObject("source.toolkit.fluxcd.io", "Bucket") || d.isObject("source.toolkit.fluxcd.io", "OCIRepository") {
		d.index.stores = true
	}
}

// artifactGenerator reads the files of this repository from which Flux makes artifacts.
func (d *document) artifactGenerator() {
	if !d.isObject("source.extensions.fluxcd.io", "ArtifactGenerator") {
		return
	}
	here := map[string]bool{}
	for _, source := range d.root.Get("spec").Get("sources").Items() {
		if source.Get("kind").String() == "GitRepository" && d.isHere(source.Get("name").String()) {
			here["@"+source.Get("alias").String()] = true
		}
	}
	for _, artifact := range d.root.Get("spec").Get("artifacts").Items() {
		for _, item := range artifact.Get("copy").Items() {
			from := item.Get("from")
			alias, rest, _ := strings.Cut(from.String(), "/")
			if here[alias] {
				d.index.add(d.at(from, "ArtifactGenerator "+d.name()), []string{path.Clean("./" + rest)})
			}
		}
	}
}

// subscription reads the folder that a Subscription of Advanced Cluster Management applies from a repository.
func (d *document) subscription() {
	if !d.isObject("apps.open-cluster-management.io", "Subscription") {
		return
	}
	annotations := d.root.Get("metadata").Get("annotations")
	for _, key := range []string{"apps.open-cluster-management.io/git-path", "apps.open-cluster-management.io/github-path"} {
		if folder := annotations.Get(key); folder.IsScalar() && folder.String() != "" {
			d.index.add(d.at(folder, "Subscription "+d.name()), []string{path.Clean("./" + strings.TrimLeft(template(folder.String()), "/"))})
		}
	}
}

// policyGenTemplate reads the files from which a PolicyGenTemplate makes policies. They are in the folder source-crs beside it, or in that of
// the image that builds the policies.
func (d *document) policyGenTemplate() {
	if !d.isObject("ran.openshift.io", "PolicyGenTemplate") {
		return
	}
	for _, item := range d.root.Get("spec").Get("sourceFiles").Items() {
		name := item.Get("fileName")
		consumer := d.at(name, "PolicyGenTemplate "+d.name())
		beside := path.Join(d.dir, "source-crs", name.String())
		if len(d.index.addFiles(consumer, []string{beside, path.Join(d.dir, name.String())})) == 0 {
			d.index.addFiles(consumer, []string{"**/source-crs/" + name.String()})
		}
	}
}

// sveltos reads the folders of this repository that a profile of Sveltos applies, with its templates and patches.
func (d *document) sveltos() {
	if !d.isObject("config.projectsveltos.io", "Profile") && !d.isObject("config.projectsveltos.io", "ClusterProfile") {
		return
	}
	spec := d.root.Get("spec")
	for _, refs := range []string{"policyRefs", "kustomizationRefs"} {
		for _, ref := range spec.Get(refs).Items() {
			if folder := ref.Get("path"); ref.Get("kind").String() == "GitRepository" && folder.IsScalar() && d.isHere(ref.Get("name").String()) {
				d.index.add(d.at(folder, "Sveltos"), []string{path.Clean("./" + template(folder.String()))})
			}
		}
	}
}

// kappController reads the folder of this repository that kapp-controller renders and applies.
func (d *document) kappController() {
	if !d.isObject("kappctrl.k14s.io", "App") {
		return
	}
	for _, item := range d.root.Get("spec").Get("fetch").Items() {
		git := item.Get("git")
		if _, here := sources.FolderHere(git.Get("url").String(), d.index.from.Remotes); here && git.Get("subPath").IsScalar() {
			d.index.add(d.at(git.Get("subPath"), "kapp-controller"), []string{path.Clean("./" + git.Get("subPath").String())})
		}
	}
}

// kappConfig reads the settings of kapp in a folder, which apply to all its files.
func (d *document) kappConfig() {
	if !d.isObject("kapp.k14s.io", "Config") {
		return
	}
	for _, key := range []string{"rebaseRules", "templateRules", "ownershipLabelRules", "labelScopingRules"} {
		if rules := d.root.Get(key); len(rules.Items()) > 0 && (key == "rebaseRules" || key == "templateRules") {
			d.index.add(d.at(rules, "kapp"), []string{d.dir})
			return
		}
	}
}

// plugin reads the files by which Argo CD chooses a plugin for a folder.
func (d *document) plugin() {
	for _, field := range d.root.Get("data").Fields() { // of a ConfigMap that the plugin mounts
		for _, doc := range manifest.Scan("plugin.yaml", []byte(field.Value.String())).Docs {
			if doc.Parse() == nil {
				inner := &document{index: d.index, doc: d.doc, root: doc.Root, dir: d.dir, place: field.Value}
				inner.plugin()
			}
		}
	}
	if !d.isObject("argoproj.io", "ConfigManagementPlugin") {
		return
	}
	discover := d.root.Get("spec").Get("discover")
	for _, form := range []*manifest.Node{discover.Get("fileName"), discover.Get("find").Get("glob")} {
		if !form.IsScalar() || form.String() == "" {
			continue
		}
		for _, a := range d.index.from.Applications {
			for _, s := range a.Sources {
				if s.Here() && string(s.Kind) != "" && len(d.index.matching(path.Join(s.Path.Value, form.String()))) > 0 {
					d.index.add(d.at(form, "the plugin "+d.name()), []string{s.Path.Value})
				}
			}
		}
	}
}
