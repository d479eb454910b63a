//go:build olm_v1_3 || olm_v1_10

// Command upstream answers questions about bundles with the packages of one release of operator-controller, into whose source build.sh
// puts it. It reads questions as JSON from standard input, and prints one answer for each.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/component-helpers/auth/rbac/validation"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operator-framework/operator-registry/alpha/declcfg"
	"github.com/operator-framework/operator-registry/pkg/image"
	"github.com/operator-framework/operator-registry/pkg/registry"

	ocv1 "github.com/operator-framework/operator-controller/api/v1"
	"github.com/operator-framework/operator-controller/internal/operator-controller/resolve"
	"github.com/operator-framework/operator-controller/internal/operator-controller/rukpak/bundle"
	"github.com/operator-framework/operator-controller/internal/operator-controller/rukpak/bundle/source"
	"github.com/operator-framework/operator-controller/internal/operator-controller/rukpak/util"
)

func main() {
	log.SetFlags(0)
	decoder := json.NewDecoder(bufio.NewReader(os.Stdin))
	encoder := json.NewEncoder(os.Stdout)
	for {
		var q Question
		err := decoder.Decode(&q)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			log.Fatal(err)
		}
		if err := encoder.Encode(answer(context.Background(), q)); err != nil {
			log.Fatal(err)
		}
	}
}

// answer answers a question. What crashes is an answer, too.
func answer(ctx context.Context, q Question) (a Answer) {
	defer func() {
		if p := recover(); p != nil {
			a.Fault = fmt.Sprintf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	if last.folder != q.Bundle {
		last = read(q.Bundle)
	}
	if last.problem != "" {
		a.Refused = last.problem
		return a
	}
	a.describe(last.bundle)
	a.Dependency = last.dependency
	manifest, err := render(q, q.Bundle)
	if err != nil {
		a.Refused = err.Error()
		return a
	}
	if q.Grant != nil {
		a.authorize(ctx, q, manifest, last.bundle)
	}
	if q.From == "" {
		return a
	}
	before := q
	before.Bundle, before.Watch, before.Gates = q.From, q.FromWatch, true
	if a.Blocked, err = blocked(ctx, before, manifest); err != nil {
		a.Fault = err.Error()
	}
	return a
}

// content is what is known of a bundle without rendering it. last is that of the last question: several follow about one bundle.
type content struct {
	folder, problem, dependency string
	bundle                      bundle.RegistryV1
}

var last content

func read(folder string) content {
	c := content{folder: folder}
	var err error
	if c.bundle, err = source.FromFS(os.DirFS(folder)).GetBundle(); err != nil {
		c.problem = err.Error()
		return c
	}
	c.dependency = dependency(folder)
	return c
}

// describe sets what the bundle is.
func (a *Answer) describe(b bundle.RegistryV1) {
	a.Package, a.Name, a.Replaces = b.PackageName, b.CSV.Name, b.CSV.Spec.Replaces
	for _, mode := range b.CSV.Spec.InstallModes {
		if mode.Supported {
			a.Modes = append(a.Modes, string(mode.Type))
		}
	}
	slices.Sort(a.Modes)
}

// dependency returns why a catalog with the bundle resolves to nothing: opm computes the properties, and operator-controller checks them.
func dependency(folder string) string {
	input, err := registry.NewImageInput(image.SimpleReference("bundle"), folder)
	if err != nil {
		return ""
	}
	_, properties, err := registry.ObjectsAndPropertiesFromBundle(input.Bundle)
	if err != nil {
		return ""
	}
	if err := resolve.NoDependencyValidation(&declcfg.Bundle{Name: input.Bundle.Name, Properties: properties}); err != nil {
		return err.Error()
	}
	return ""
}

// extension returns the extension of a question.
func extension(q Question) *ocv1.ClusterExtension {
	e := &ocv1.ClusterExtension{}
	e.SetGroupVersionKind(ocv1.GroupVersion.WithKind("ClusterExtension"))
	e.Name, e.Spec.Namespace, e.Spec.ServiceAccount.Name = q.Extension, q.Namespace, q.Account
	return e
}

// manifestOf returns objects as the manifest of a Helm release.
func manifestOf(objects []client.Object) (string, error) {
	var out bytes.Buffer
	for _, o := range objects {
		text, err := json.Marshal(o)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "---\n%s\n", text)
	}
	return out.String(), nil
}

// objectsOf parses a manifest as operator-controller does.
func objectsOf(manifest string) ([]client.Object, error) {
	return util.ManifestObjects(strings.NewReader(manifest), "manifest")
}

// kindsOf returns the kinds that the definitions of a bundle define.
func kindsOf(b bundle.RegistryV1) map[schema.GroupVersionKind]resourceOf {
	kinds := map[schema.GroupVersionKind]resourceOf{}
	for _, d := range b.CRDs {
		for _, version := range d.Spec.Versions {
			kinds[schema.GroupVersionKind{Group: d.Spec.Group, Version: version.Name, Kind: d.Spec.Names.Kind}] = resourceOf{
				name: d.Spec.Names.Plural, namespaced: string(d.Spec.Scope) == "Namespaced",
			}
		}
	}
	return kinds
}

// authorize asks the pre-authorizer, and which verbs it does not need.
func (a *Answer) authorize(ctx context.Context, q Question, manifest string, b bundle.RegistryV1) {
	mapper := mapperOf(kindsOf(b))
	var err error
	if a.Missing, err = missing(ctx, q, manifest, mapper, q.Grant); err != nil {
		a.Unchecked = err.Error()
	}
	if !q.Least || len(a.Missing) > 0 || err != nil {
		return
	}
	all, err := missing(ctx, q, manifest, mapper, nil)
	if err != nil {
		a.Unweighed = err.Error()
		return
	}
	a.Unneeded = beyond(q.Grant, all)
}

// beyond returns the rules of a grant that others do not cover.
func beyond(grant, others []Scoped) []Scoped {
	var more []Scoped
	for _, scope := range grant {
		var known []rbacv1.PolicyRule
		for _, o := range others {
			if o.Namespace == "" || o.Namespace == scope.Namespace {
				known = append(known, o.Rules...)
			}
		}
		if covered, rules := validation.Covers(known, scope.Rules); !covered {
			more = append(more, Scoped{scope.Namespace, rules})
		}
	}
	return more
}
