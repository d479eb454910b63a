package catalogs_test

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/kube/bundlesupport"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/needs/catalogs"
)

func TestSelectedCatalogs(t *testing.T) {
	t.Parallel()
	tree := filestest.Tree{"free/a.yaml": ferry, "paid/a.yaml": ferry}
	const object = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterCatalog\nmetadata: {name: NAME, labels: {tier: NAME}}\nspec: {priority: PRIORITY, availabilityMode: MODE}\n---\n"
	served := func(name, priority, mode string) string {
		return strings.NewReplacer("NAME", name, "PRIORITY", priority, "MODE", mode).Replace(object)
	}
	both := served("free", "1", "Available") + served("paid", "9", "Available")
	for name, test := range map[string]struct {
		cluster, selector, want string
		named                   bool
	}{
		"all, by priority":          {both, "", "OLM installs ferry.v1.2.0 (paid)", false},
		"an empty selector":         {both, "selector: {}", "OLM installs ferry.v1.2.0 (paid)", false},
		"by a label":                {both, "selector: {matchLabels: {tier: free}}", "OLM installs ferry.v1.2.0 (free)", false},
		"by the label of OLM":       {both, "selector: {matchLabels: {olm.operatorframework.io/metadata.name: free}}", "OLM installs ferry.v1.2.0 (free)", false},
		"by an expression":          {both, "selector: {matchExpressions: [{key: tier, operator: NotIn, values: [paid]}]}", "OLM installs ferry.v1.2.0 (free)", false},
		"none":                      {both, "selector: {matchLabels: {tier: gold}}", "it selects none of these catalogs: free, paid", false},
		"another of the repository": {both + served("gold", "1", "Available"), "selector: {matchLabels: {tier: gold}}", "it selects ClusterCatalog gold, which --catalog gold=DIR adds", false},
		"only an unavailable one":   {served("free", "1", "Unavailable") + served("paid", "9", "Available"), "selector: {matchLabels: {olm.operatorframework.io/metadata.name: free}}", "OLM installs nothing, because the catalog that it selects is unavailable: free", false},
		"unavailable ones":          {served("free", "1", "Unavailable") + served("paid", "9", "Unavailable"), "", "which bundle OLM installs is unknown", false},
		"a label that is overwritten": {strings.Replace(both, "tier: free", "olm.operatorframework.io/metadata.name: other", 1), "selector: {matchLabels: {olm.operatorframework.io/metadata.name: free}}",
			"OLM installs ferry.v1.2.0 (free)", false},
		"unavailable":             {served("free", "1", "Available") + served("paid", "9", "Unavailable"), "", "OLM installs ferry.v1.2.0 (free)", false},
		"unknown labels":          {"", "selector: {matchLabels: {tier: free}}", "it selects catalogs by labels, and those of free are unknown", false},
		"unknown labels, named":   {"", "selector: {matchLabels: {tier: free}}", "those of free are unknown", true},
		"unknown names":           {"", "selector: {matchLabels: {olm.operatorframework.io/metadata.name: free}}", "those of free are unknown", false},
		"names that the user set": {"", "selector: {matchLabels: {olm.operatorframework.io/metadata.name: free}}", "OLM installs ferry.v1.2.0 (free)", true},
		"invalid":                 {both, "selector: {matchExpressions: [{key: tier, operator: Like}]}", "spec.source.catalog.selector is invalid", false},
		"substituted later":       {both, "selector: {matchLabels: {tier: '${TIER}'}}", "substituted later", false},
	} {
		var all []*catalogs.Catalog
		for _, dir := range []string{"free", "paid"} {
			c, err := catalogs.Read(tree.FS(), dir, "ferry")
			if err != nil {
				t.Fatal(err)
			}
			c.Serving, c.Named, c.FromObject = dir, test.named, true
			all = append(all, c)
		}
		extension := objectstest.In(t, "e.yaml", "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: e}\nspec: {source: {catalog: {packageName: ferry, channels: [stable], "+test.selector+"}}}\n")
		read, _ := olm.ReadExtension(extension[0].Node)
		unit := objectstest.Plain(t, filestest.Tree{"cluster.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: quay}\n---\n" + test.cluster})
		if got, _ := catalogs.OfExtension(all, read, catalogs.ServedBy(unit, nil), bundlesupport.Release{}); !strings.Contains(got, test.want) {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}
