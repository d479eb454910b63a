package uses

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/render"
)

// copies are the files that a tool copies into the repository, so that an edit does not last: submodules of git, folders that a
// tool fills with vendored files, charts that kustomize fetches, and dependencies of charts that come from another repository.
type copies struct {
	read       func(file string) ([]byte, error)
	submodules map[string]string // the address, by folder
	fetched    map[string]string // the charts that kustomize fetches, by folder
	known      map[string]string // answers, by folder
}

func (i *Index) newCopies() *copies {
	c := &copies{read: i.from.Tree.Read, known: map[string]string{}, fetched: i.fetchedCharts()}
	c.readSubmodules()
	return c
}

// reasonFor returns why an edit of a file does not last, and where to make it instead; "" if it lasts.
func (c *copies) reasonFor(file string) string {
	dir := path.Dir(file)
	why, known := c.known[dir]
	if !known {
		why = c.reasonForFolder(dir)
		c.known[dir] = why
	}
	if why == "" {
		return ""
	}
	return file + " is not edited: " + why
}

func (c *copies) reasonForFolder(dir string) string {
	const orPatch = ", or patch its objects where they are used"
	for at := dir; at != "." && at != "/"; at = path.Dir(at) {
		parent := path.Dir(at)
		switch address, is := c.submodules[at]; {
		case is:
			return fmt.Sprintf("%s is a submodule, so the change would be lost with its next update: change it in %s%s", at, address, orPatch)
		case c.fetched[at] != "":
			return fmt.Sprintf("%s is a copy of %s, which kustomize fetches: change it there, or set a value in helmCharts if the chart has one", at, c.fetched[at])
		case path.Base(at) == "vendor", path.Base(at) == "node_modules":
			return fmt.Sprintf("%s holds copies that a tool overwrites: change the original%s", at, orPatch)
		case path.Base(parent) == "charts":
			if from := c.dependency(path.Dir(parent), path.Base(at)); from != "" {
				return fmt.Sprintf("%s is a copy of %s, which helm dependency update restores: change it there, or set a value in the "+
					"values of %s if the chart has one", at, from, path.Dir(parent))
			}
		}
	}
	return c.vendired(dir)
}

// fetchedCharts returns the charts of helmCharts that kustomize fetches from a repository, by the folders into which it writes them.
func (i *Index) fetchedCharts() map[string]string {
	found, files := map[string]string{}, i.from.Tree.Files()
	for _, u := range i.from.Units {
		for _, k := range u.Kustomizations {
			if files == nil || k.Doc.Root.Get("helmCharts") == nil {
				continue
			}
			for _, e := range render.ChartEntries(k.Doc.Root) {
				if chart, _, local := e.Chart(files, k.Dir); local && e.Repo != "" {
					found[chart] = fmt.Sprintf("the chart %s of %s", strings.TrimSpace(e.Name+" "+e.Version), withoutUser(e.Repo))
				}
			}
		}
	}
	return found
}

// readSubmodules reads the folders and addresses of submodules.
func (c *copies) readSubmodules() {
	c.submodules = map[string]string{}
	data, err := c.read(".gitmodules")
	if err != nil {
		return // there are none, or git cannot read them either
	}
	folder, address := "", ""
	add := func() {
		if folder != "" {
			c.submodules[path.Clean(folder)] = address
		}
		folder, address = "", "its repository"
	}
	add()
	for line := range strings.Lines(string(data)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		value = strings.Trim(strings.TrimSpace(value), `"`)
		switch strings.TrimSpace(key) {
		case "path":
			folder = value
		case "url":
			address = withoutUser(value)
		default:
			if strings.HasPrefix(key, "[") {
				add()
			}
		}
	}
	add()
}

// withoutUser returns an address without the user and password that it may contain.
func withoutUser(address string) string {
	scheme, rest, found := strings.Cut(address, "://")
	if _, host, hasUser := strings.Cut(rest, "@"); found && hasUser {
		return scheme + "://" + host
	}
	return address
}

// dependency returns what a chart says about a dependency that it takes from a remote repository; "" if it has none of that name.
func (c *copies) dependency(chart, name string) string {
	for _, file := range []string{"Chart.yaml", "requirements.yaml"} {
		data, err := c.read(path.Join(chart, file))
		if err != nil {
			continue
		}
		var declared struct {
			Dependencies []struct{ Name, Version, Repository string }
		}
		if yaml.Unmarshal(data, &declared) != nil {
			continue
		}
		for _, d := range declared.Dependencies {
			if d.Name == name && d.Repository != "" && !strings.HasPrefix(d.Repository, "file:") {
				return strings.TrimSpace(fmt.Sprintf("the chart %s %s", d.Name, d.Version)) + " of " + withoutUser(d.Repository)
			}
		}
	}
	return ""
}

// vendired returns why the files of a folder are copies that vendir fetches, according to a vendir.yml in a folder above; "" if
// they are not.
func (c *copies) vendired(dir string) string {
	for at := dir; ; at = path.Dir(at) {
		data, err := c.read(path.Join(at, "vendir.yml"))
		if err == nil {
			if from := fetchedBy(data, at, dir); from != "" {
				return fmt.Sprintf("vendir fetches %s (%s), so the change would be lost with its next run: change the original, or patch "+
					"its objects where they are used", from, path.Join(at, "vendir.yml"))
			}
		} else if !errors.Is(err, fs.ErrNotExist) {
			return fmt.Sprintf("%s could not be read, so the folders that vendir fetches are unknown: make it readable first", path.Join(at, "vendir.yml"))
		}
		if at == "." {
			return ""
		}
	}
}

// fetchedBy returns the folder around dir that vendir fetches; "" if there is none. Contents that it copies from the repository
// itself, or leaves alone, count as written by hand.
func fetchedBy(data []byte, at, dir string) string {
	var config struct {
		Directories []struct {
			Path     string
			Contents []map[string]any
		}
	}
	if yaml.Unmarshal(data, &config) != nil {
		return ""
	}
	for _, d := range config.Directories {
		for _, content := range d.Contents {
			name, _ := content["path"].(string)
			folder := path.Join(at, d.Path, name)
			if content["manual"] == nil && content["directory"] == nil && (dir == folder || strings.HasPrefix(dir, folder+"/")) {
				return folder
			}
		}
	}
	return ""
}
