package olm

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/salint/salint/test/conformance/server"
)

// catalogManifest is the only catalog of a cluster. catalogd, which does not run, would set the label and the status.
const catalogManifest = `apiVersion: olm.operatorframework.io/v1
kind: ClusterCatalog
metadata:
  name: test
  labels: {olm.operatorframework.io/metadata.name: test}
spec:
  source: {type: Image, image: {ref: "HOST/catalog:latest"}}
`

const catalogStatus = `apiVersion: olm.operatorframework.io/v1
kind: ClusterCatalog
metadata: {name: test}
status:
  urls: {base: "https://HOST/catalog"}
  resolvedSource: {type: Image, image: {ref: "HOST/catalog@sha256:DIGEST"}}
  conditions:
    - {type: Serving, status: "True", reason: Available, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
    - {type: Progressing, status: "True", reason: Succeeded, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
`

// Publish makes bundles the content of the catalog. Bundles of one package replace one another in the order of the
// arguments. [Cluster.Run] must have been called before, because it applies the definition of catalogs.
func (c *Cluster) Publish(ctx context.Context, bundles ...Bundle) error {
	images := map[string]string{}
	for _, b := range bundles {
		image, err := c.store.push(b)
		if err != nil {
			return err
		}
		images[b.name()] = image
	}
	if err := c.store.serve(bundles, images); err != nil {
		return err
	}
	fill := strings.NewReplacer("HOST", c.store.host(), "DIGEST", fmt.Sprintf("%x", sha256.Sum256(c.store.content)))
	if err := c.Apply(ctx, server.Admin, fill.Replace(catalogManifest)); err != nil {
		return err
	}
	_, err := c.Kubectl(ctx, server.Admin, fill.Replace(catalogStatus), "apply", "--server-side", "--subresource=status", "--filename=-")
	return err
}
