package flux

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
	"github.com/fluxcd/pkg/apis/kustomize"
	"github.com/fluxcd/pkg/chartutil"
	"github.com/go-logr/logr"
	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/chart/common"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	release "helm.sh/helm/v4/pkg/release/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kustomize/api/krusty"
	kustypes "sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/test/controllers/applied"
)

// helmRelease does what source-controller and helm-controller do with a HelmRelease, up to the request to the API server.
func (c cluster) helmRelease(from *checkout, o *unstructured.Unstructured) ([]*unstructured.Unstructured, error) {
	hr := &helmv2.HelmRelease{}
	if err := convert(o, hr); err != nil {
		return nil, err
	}
	if hr.Spec.Suspend {
		return nil, errors.New("suspended")
	}
	if hr.Spec.Chart == nil || hr.Spec.Chart.Spec.SourceRef == nil {
		return nil, errors.New("no chart template")
	}
	loaded, err := c.chart(from, hr)
	if err != nil {
		return nil, err
	}
	values, err := chartutil.ChartValuesFromReferences(context.Background(), logr.Discard(), reader{objects: c}, hr.Namespace, hr.GetValues(), hr.Spec.ValuesFrom...)
	if err != nil {
		return nil, err
	}
	install := action.NewInstall(&action.Configuration{})
	install.DryRunStrategy = action.DryRunClient
	install.ReleaseName = hr.GetReleaseName()
	install.Namespace = hr.GetReleaseNamespace()
	install.SkipCRDs = true
	install.PostRenderer = postRenderers(hr.Spec.PostRenderers)
	installed, err := install.Run(loaded, values)
	if err != nil {
		return nil, err
	}
	objects, err := decode([]byte(installed.(*release.Release).Manifest))
	if err != nil {
		return nil, err
	}
	if metadata := hr.Spec.CommonMetadata; metadata != nil {
		setMetadata(objects, metadata.Labels, metadata.Annotations)
	}
	applied.InNamespace(objects, hr.GetReleaseNamespace())
	return objects, nil
}

// chart loads the chart from the artifact of its source, with the values files that the release names instead of the chart's own.
func (c cluster) chart(from *checkout, hr *helmv2.HelmRelease) (*chart.Chart, error) {
	spec := hr.Spec.Chart.Spec
	namespace := spec.SourceRef.Namespace
	if namespace == "" {
		namespace = hr.Namespace
	}
	root, err := c.artifact(from, spec.SourceRef.Kind, namespace, spec.SourceRef.Name)
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(root, filepath.Join("/", spec.Chart))
	loaded, err := loader.Load(folder)
	if err != nil {
		return nil, err
	}
	if err := addDependencies(loaded, root, folder); err != nil {
		return nil, err
	}
	if len(spec.ValuesFiles) == 0 {
		return loaded, nil
	}
	values := map[string]any{}
	for _, file := range spec.ValuesFiles {
		data, err := os.ReadFile(filepath.Join(root, filepath.Join("/", file)))
		if os.IsNotExist(err) && spec.IgnoreMissingValuesFiles {
			continue
		}
		if err != nil {
			return nil, err
		}
		more := map[string]any{}
		if err := yaml.Unmarshal(data, &more); err != nil {
			return nil, fmt.Errorf("unmarshaling values from %s failed: %w", file, err)
		}
		values = chartutil.MergeMaps(values, more)
	}
	loaded.Values = values
	return loaded, nil
}

// remote stands for a chart that source-controller downloads: it fails if the values switch it on.
func remote(name, version string) *chart.Chart {
	return &chart.Chart{
		Metadata:  &chart.Metadata{APIVersion: chart.APIVersionV2, Name: name, Version: version},
		Templates: []*common.File{{Name: "templates/network.yaml", Data: []byte(`{{ fail "the dependency needs the network" }}`)}},
	}
}

// addDependencies adds the dependencies that are charts of the same repository, and not below charts/ of the chart.
func addDependencies(c *chart.Chart, root, folder string) error {
	if len(c.Dependencies()) == len(c.Metadata.Dependencies) {
		return nil
	}
	for _, dependency := range c.Metadata.Dependencies {
		name := cmp.Or(dependency.Alias, dependency.Name)
		if slices.ContainsFunc(c.Dependencies(), func(existing *chart.Chart) bool { return existing.Name() == name }) {
			continue
		}
		path, local := strings.CutPrefix(dependency.Repository, "file://")
		if !local {
			c.AddDependency(remote(name, dependency.Version))
			continue
		}
		if path = filepath.Join(folder, path); !strings.HasPrefix(path, root+"/") {
			return fmt.Errorf("dependency %s is outside the repository", name)
		}
		loaded, err := loader.Load(path)
		if err != nil {
			return err
		}
		loaded.Metadata.Name = name
		c.AddDependency(loaded)
	}
	return nil
}

// renderers run one after the other. The last one stands for the labels that helm-controller always adds with kustomize: it also
// refuses a chart that contains an object twice.
type renderers []helmv2.Kustomize

func postRenderers(specs []helmv2.PostRenderer) renderers {
	var all renderers
	for _, spec := range specs {
		if spec.Kustomize != nil {
			all = append(all, *spec.Kustomize)
		}
	}
	return append(all, helmv2.Kustomize{})
}

// Run implements Helm's interface.
func (r renderers) Run(manifests *bytes.Buffer) (*bytes.Buffer, error) {
	for _, one := range r {
		var err error
		if manifests, err = render(one, manifests); err != nil {
			return nil, err
		}
	}
	return manifests, nil
}

// render builds the kustomization that helm-controller makes of a post-renderer.
func render(spec helmv2.Kustomize, manifests *bytes.Buffer) (*bytes.Buffer, error) {
	kustomization := kustypes.Kustomization{
		TypeMeta:  kustypes.TypeMeta{APIVersion: kustypes.KustomizationVersion, Kind: kustypes.KustomizationKind},
		Resources: []string{"helm-output.yaml"},
	}
	for _, image := range spec.Images {
		kustomization.Images = append(kustomization.Images, kustypes.Image{Name: image.Name, NewName: image.NewName, NewTag: image.NewTag, Digest: image.Digest})
	}
	for _, patch := range spec.Patches {
		kustomization.Patches = append(kustomization.Patches, kustypes.Patch{Patch: patch.Patch, Target: selector(patch.Target)})
	}
	data, err := json.Marshal(kustomization)
	if err != nil {
		return nil, err
	}
	files := filesys.MakeFsInMemory()
	if err := files.WriteFile("kustomization.yaml", data); err != nil {
		return nil, err
	}
	if err := files.WriteFile("helm-output.yaml", manifests.Bytes()); err != nil {
		return nil, err
	}
	options := &krusty.Options{LoadRestrictions: kustypes.LoadRestrictionsNone, PluginConfig: kustypes.DisabledPluginConfig()}
	resources, err := krusty.MakeKustomizer(options).Run(files, ".")
	if err != nil {
		return nil, err
	}
	output, err := resources.AsYaml()
	return bytes.NewBuffer(output), err
}

func selector(s *kustomize.Selector) *kustypes.Selector {
	if s == nil {
		return nil
	}
	selector := &kustypes.Selector{LabelSelector: s.LabelSelector, AnnotationSelector: s.AnnotationSelector}
	selector.Group, selector.Version, selector.Kind, selector.Name, selector.Namespace = s.Group, s.Version, s.Kind, s.Name, s.Namespace
	return selector
}
