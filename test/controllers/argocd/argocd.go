// Package argocd computes what Argo CD applies, with its own packages: the generators of ApplicationSets, and the generation of
// manifests in the repo-server, which runs helm and kustomize. What the controllers do between the calls is written here again.
package argocd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/argoproj/argo-cd/v3/applicationset/controllers/template"
	"github.com/argoproj/argo-cd/v3/applicationset/generators"
	"github.com/argoproj/argo-cd/v3/applicationset/utils"
	argo "github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/reposerver/repository"
	argoutil "github.com/argoproj/argo-cd/v3/util/argo"
	"github.com/argoproj/argo-cd/v3/util/git"
	utilio "github.com/argoproj/argo-cd/v3/util/io"
	"github.com/argoproj/argo-cd/v3/util/settings"
	"github.com/sirupsen/logrus"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/test/controllers/applied"
)

// Namespace is where Argo CD runs in all repositories.
const Namespace = "argocd"

func init() { logrus.SetLevel(logrus.PanicLevel) }

// Applied returns what Argo CD applies. The files in the folder argocd, which are applied by hand, hold the first Applications and
// ApplicationSets, and argocd-cm. All applications are deployed to the cluster of Argo CD.
func Applied(dir string) (applied.World, error) {
	files, err := filepath.Glob(filepath.Join(dir, "argocd", "*.yaml"))
	if err != nil {
		return nil, err
	}
	var objects []*unstructured.Unstructured
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for document := range strings.SplitSeq(string(data), "---\n") {
			o := &unstructured.Unstructured{}
			if err := yaml.Unmarshal([]byte(document), &o.Object); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			objects = append(objects, o)
		}
	}
	w := &walk{dir: dir, world: applied.World{}}
	if err := w.configure(objects); err != nil {
		return nil, err
	}
	for _, o := range objects {
		if err := w.add(o); err != nil {
			return nil, err
		}
	}
	return w.world, nil
}

// walk follows Applications that apply others.
type walk struct {
	dir     string
	world   applied.World
	options argo.KustomizeOptions
	filter  settings.ResourcesFilter
}

// configure reads argocd-cm, if there is one.
func (w *walk) configure(objects []*unstructured.Unstructured) error {
	for _, o := range objects {
		if o.GetKind() != "ConfigMap" || o.GetName() != "argocd-cm" {
			continue
		}
		data, _, err := unstructured.NestedStringMap(o.Object, "data")
		if err != nil {
			return err
		}
		w.options.BuildOptions = data["kustomize.buildOptions"]
		if err := yaml.Unmarshal([]byte(data["resource.exclusions"]), &w.filter.ResourceExclusions); err != nil {
			return err
		}
		return yaml.Unmarshal([]byte(data["resource.inclusions"]), &w.filter.ResourceInclusions)
	}
	return nil
}

func (w *walk) add(o *unstructured.Unstructured) error {
	switch o.GroupVersionKind().GroupKind() {
	case schema.GroupKind{Group: argo.ApplicationSchemaGroupVersionKind.Group, Kind: "Application"}:
		app := &argo.Application{}
		if err := convert(o, app); err != nil {
			return err
		}
		return w.application(app)
	case schema.GroupKind{Group: argo.ApplicationSchemaGroupVersionKind.Group, Kind: "ApplicationSet"}:
		set := &argo.ApplicationSet{}
		if err := convert(o, set); err != nil {
			return err
		}
		return w.applicationSet(set)
	}
	return nil
}

func (w *walk) application(app *argo.Application) error {
	name := "Application " + app.Namespace + "/" + app.Name
	if _, seen := w.world[name]; seen {
		return nil
	}
	objects, err := w.manifests(app)
	w.world[name] = []applied.Result{{Cluster: "argocd", Objects: objects, Err: err}}
	for _, o := range objects {
		if err := w.add(o); err != nil {
			return err
		}
	}
	return nil
}

// applicationSet adds the Applications that the set generates. A set that fails generates nothing.
func (w *walk) applicationSet(set *argo.ApplicationSet) error {
	repos := repos{dir: w.dir}
	all := generators.GetGenerators(context.Background(), reader{}, nil, Namespace, repos, nil, generators.SCMConfig{}, nil)
	apps, _, err := template.GenerateApplications(logrus.NewEntry(logrus.StandardLogger()), *set, all, &utils.Render{}, reader{})
	if err != nil {
		w.world["ApplicationSet "+set.Namespace+"/"+set.Name] = []applied.Result{{Cluster: "argocd", Err: err}}
		return nil
	}
	for _, app := range apps {
		if err := w.application(&app); err != nil {
			return err
		}
	}
	return nil
}

// manifests returns what the application applies, as the application controller asks the repo-server for it.
func (w *walk) manifests(app *argo.Application) ([]*unstructured.Unstructured, error) {
	spec := argoutil.NormalizeApplicationSpec(&app.Spec)
	sources := spec.GetSources()
	refs, err := argoutil.GetRefSources(context.Background(), sources, spec.Project, func(_ context.Context, url, _ string) (*argo.Repository, error) {
		return &argo.Repository{Repo: url}, nil
	}, nil)
	if err != nil {
		return nil, err
	}
	var objects []*unstructured.Unstructured
	for _, source := range sources {
		if spec.HasMultipleSources() && source.Path == "" {
			continue
		}
		more, err := w.source(app, spec, source, refs)
		if err != nil {
			return nil, err
		}
		objects = append(objects, more...)
	}
	applied.InNamespace(objects, spec.Destination.Namespace)
	objects = slices.DeleteFunc(objects, func(o *unstructured.Unstructured) bool {
		return w.filter.IsExcludedResource(o.GroupVersionKind().Group, o.GetKind(), spec.Destination.Server)
	})
	return applied.Last(objects), nil
}

func (w *walk) source(app *argo.Application, spec *argo.ApplicationSpec, source argo.ApplicationSource, refs argo.RefTargetRevisionMapping) ([]*unstructured.Unstructured, error) {
	// The repo-server checks out the repository for each request, and changes the files.
	root, err := os.MkdirTemp("", "checkout")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(root)
	if err := checkout(w.dir, root); err != nil {
		return nil, err
	}
	path := filepath.Join(root, source.Path)
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s: app path does not exist", source.Path)
	}
	paths := utilio.NewRandomizedTempPaths(root)
	paths.Add(git.NormalizeGitURL(source.RepoURL), root)
	response, err := repository.GenerateManifests(context.Background(), path, root, "main", &apiclient.ManifestRequest{
		Repo:               &argo.Repository{Repo: source.RepoURL},
		Revision:           "main",
		AppName:            app.InstanceName(Namespace),
		Namespace:          spec.Destination.Namespace,
		ApplicationSource:  &source,
		KustomizeOptions:   &w.options,
		HasMultipleSources: spec.HasMultipleSources(),
		RefSources:         refs,
		ProjectName:        spec.Project,
		ProjectSourceRepos: []string{"*"},
	}, true, &git.NoopCredsStore{}, resource.MustParse("0"), paths)
	if err != nil {
		return nil, err
	}
	var objects []*unstructured.Unstructured
	for _, manifest := range response.Manifests {
		o := &unstructured.Unstructured{}
		if err := json.Unmarshal([]byte(manifest), &o.Object); err != nil {
			return nil, err
		}
		objects = append(objects, o)
	}
	return objects, nil
}

// checkout copies the files of the repository, without its history.
func checkout(dir, root string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		target := filepath.Join(root, relative)
		if entry.IsDir() {
			if entry.Name() == ".git" {
				return filepath.SkipDir
			}
			return os.MkdirAll(target, 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o644)
	})
}

// reader answers the request for the AppProject of an ApplicationSet: every project allows everything.
type reader struct{ client.Client }

// Get fills in the name.
func (reader) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	if _, ok := into.(*argo.AppProject); !ok {
		return fmt.Errorf("no %T is known", into)
	}
	into.SetName(key.Name)
	into.SetNamespace(key.Namespace)
	return nil
}

func convert(from, to any) error {
	data, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, to)
}

// errNoOCI is returned for sources that the repositories do not use.
var errNoOCI = errors.New("no OCI artifact is known")
