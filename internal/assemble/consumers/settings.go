package consumers

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/commands"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// settings are the files with the settings of programs, by the beginnings of their names, and the functions that read a document of them.
var settings = []struct {
	name string
	read func(*document)
}{
	{"skaffold", (*document).skaffold},
	{"devspace", (*document).devspace},
	{"cdk8s.y", (*document).cdk8s},
	{"werf.y", (*document).werf},
	{"pulumi.y", (*document).pulumi},
	{"zarf.y", (*document).zarf},
	{"vendir.y", (*document).vendir},
	{"garden.y", (*document).garden},
	{"project.garden.y", (*document).garden},
	{"deployment.y", (*document).kluctl},
}

// document is a document of a manifest or of settings.
type document struct {
	index *Index
	doc   *manifest.Document
	root  *manifest.Node
	dir   string
	// place is the node at which the document is, if it is a text in another one; nil otherwise.
	place *manifest.Node
}

// at returns a consumer at a node.
func (d *document) at(n *manifest.Node, program string) Consumer {
	if d.place != nil {
		n = d.place
	}
	line, _ := d.doc.File.Position(n.Span().Start)
	return at(d.doc.File.Path, line, program)
}

// passes adds the paths of a scalar, or of the items of a list, to what a program gets. They start in the folder of the file.
func (d *document) passes(n *manifest.Node, program string) {
	if n.IsScalar() && n.String() != "" {
		d.index.add(d.at(n, program), []string{path.Join(d.dir, template(n.String()))})
	}
	for _, item := range n.Items() {
		d.passes(item, program)
	}
}

// template returns a path with its variables as unknown parts.
func template(name string) string {
	return commandsTemplate().ReplaceAllString(name, commands.Unknown)
}

// manifest reads the consumers in a manifest: settings of programs, tasks of Ansible, and objects of controllers.
func (x *Index) manifest(file string, data []byte) {
	base := strings.ToLower(path.Base(file))
	var reads []func(*document)
	for _, s := range settings {
		if strings.HasPrefix(base, s.name) {
			reads = append(reads, s.read)
		}
	}
	if isAnsible(data) {
		reads = append(reads, (*document).ansible)
	}
	for _, o := range controllers {
		if bytes.Contains(data, []byte(o.kind)) && bytes.Contains(data, []byte(o.group)) {
			reads = append(reads, o.read)
		}
	}
	if isRendered(data) {
		x.rendered(file, data)
	}
	x.runs(file, data)
	if len(reads) == 0 {
		return
	}
	for _, doc := range manifest.Scan(file, data).Docs {
		if doc.Parse() != nil {
			continue
		}
		d := &document{index: x, doc: doc, root: doc.Root, dir: path.Dir(file)}
		for _, read := range reads {
			read(d)
		}
	}
}

// skaffold reads what Skaffold renders and applies. A kustomization is built by salint, too, unless Skaffold changes what it gives.
func (d *document) skaffold() {
	const program = "Skaffold"
	roots := []*manifest.Node{d.root}
	roots = append(roots, d.root.Get("profiles").Items()...)
	for _, root := range roots {
		manifests := root.Get("manifests")
		d.passes(manifests.Get("rawYaml"), program)
		d.passes(manifests.Get("kpt"), program)
		deploy := root.Get("deploy")
		d.passes(deploy.Get("kubectl").Get("manifests"), program)
		d.passes(deploy.Get("kpt").Get("dir"), program)
		if len(manifests.Get("transform").Items()) > 0 || len(root.Get("manifests").Get("hooks").Fields()) > 0 {
			d.passes(manifests.Get("kustomize").Get("paths"), program)
		}
		for _, from := range []*manifest.Node{manifests, deploy} {
			for _, release := range from.Get("helm").Get("releases").Items() {
				d.passes(release.Get("chartPath"), program)
			}
		}
	}
}

// devspace reads what DevSpace applies.
func (d *document) devspace() {
	deployments := d.root.Get("deployments")
	all := slices.Clone(deployments.Items())
	for _, field := range deployments.Fields() {
		all = append(all, field.Value)
	}
	for _, deployment := range all {
		d.passes(deployment.Get("kubectl").Get("manifests"), "DevSpace")
		d.passes(deployment.Get("helm").Get("chart").Get("path"), "DevSpace")
		d.passes(deployment.Get("helm").Get("chart").Get("name"), "DevSpace")
	}
}

// pulumi reads the files that the resources of a program in YAML name.
func (d *document) pulumi() {
	for _, resource := range d.root.Get("resources").Fields() {
		for _, key := range []string{"file", "files", "directory", "chart"} {
			d.passes(resource.Value.Get("properties").Get(key), "Pulumi")
		}
	}
}

// cdk8s reads the folder into which cdk8s writes manifests.
func (d *document) cdk8s() {
	output, consumer := "dist", d.at(d.root, "cdk8s")
	if n := d.root.Get("output"); n.IsScalar() {
		output, consumer = n.String(), d.at(n, "cdk8s")
	}
	if d.root.Get("app") == nil {
		return
	}
	consumer.Writes = true
	d.index.addFiles(consumer, []string{path.Join(d.dir, output)})
}

// werf reads the folder of the chart that werf renders.
func (d *document) werf() {
	chart := d.root.Get("deploy").Get("helmChartDir")
	if chart.IsScalar() {
		d.passes(chart, "werf")
		return
	}
	if d.root.Get("project") != nil {
		d.index.add(d.at(d.root, "werf"), []string{path.Join(d.dir, ".helm")})
	}
}

// kptfile adds a package whose Kptfile has a pipeline of functions.
func (x *Index) kptfile(file string, data []byte) {
	for _, doc := range manifest.Scan(file, data).Docs {
		if doc.Parse() != nil {
			continue
		}
		if pipeline := doc.Root.Get("pipeline"); len(pipeline.Get("mutators").Items()) > 0 {
			line, _ := doc.File.Position(pipeline.Span().Start)
			x.add(at(file, line, "kpt"), []string{path.Dir(file)})
		}
	}
}

// isObject reports whether a document is an object of a group and kind.
func (d *document) isObject(group, kind string) bool {
	found, _ := objects.SplitAPIVersion(d.root.Get("apiVersion").String())
	return found == group && d.root.Get("kind").String() == kind
}
