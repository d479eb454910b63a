package consumers

import "path"

// zarf reads the manifests and charts that Zarf packs, with its variables filled in.
func (d *document) zarf() {
	for _, component := range d.root.Get("components").Items() {
		for _, manifests := range component.Get("manifests").Items() {
			d.passes(manifests.Get("files"), "Zarf")
			d.passes(manifests.Get("kustomizations"), "Zarf")
		}
		for _, chart := range component.Get("charts").Items() {
			d.passes(chart.Get("localPath"), "Zarf")
		}
	}
}

// vendir reads the folders of this repository that vendir copies.
func (d *document) vendir() {
	for _, directory := range d.root.Get("directories").Items() {
		for _, contents := range directory.Get("contents").Items() {
			d.passes(contents.Get("directory").Get("path"), "vendir")
		}
	}
}

// garden reads the files that Garden patches or fills in, and applies.
func (d *document) garden() {
	if kind := d.root.Get("type").String(); kind != "kubernetes" && kind != "kustomize" && kind != "helm" {
		return
	}
	spec := d.root.Get("spec")
	for _, key := range []string{"files", "manifestFiles", "manifestTemplates"} {
		d.passes(spec.Get(key), "Garden")
	}
	d.passes(spec.Get("kustomize").Get("path"), "Garden")
	d.passes(spec.Get("chart").Get("path"), "Garden")
}

// kluctl reads the folders that kluctl renders: all its files are templates.
func (d *document) kluctl() {
	if !d.isOfKluctl() {
		return
	}
	for _, deployment := range d.root.Get("deployments").Items() {
		d.passes(deployment.Get("path"), "kluctl")
	}
}

// isOfKluctl reports whether a file describes a deployment of kluctl: no object has its fields, and a folder above has its settings.
func (d *document) isOfKluctl() bool {
	if d.root.Get("kind") != nil || d.root.Get("deployments") == nil {
		return false
	}
	for dir := d.dir; ; dir = path.Dir(dir) {
		for _, name := range []string{".kluctl.yaml", ".kluctl.yml"} {
			if d.index.from.Paths.HasFile(path.Join(dir, name)) {
				return true
			}
		}
		if dir == "." {
			return false
		}
	}
}
