package uses

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// ClonedAccounts finds the service accounts that generate rules of Kyverno copy on the cluster. A rule that copies all accounts of a
// namespace has the name ${NAME}.
func ClonedAccounts(file string, data []byte) []TextManifest {
	for _, word := range []string{kyverno, "clone", "ServiceAccount"} {
		if !bytes.Contains(data, []byte(word)) {
			return nil
		}
	}
	var found []TextManifest
	for _, doc := range manifest.Scan(file, data).Docs {
		if doc.Parse() != nil {
			continue
		}
		for _, o := range objects.Objects(doc) {
			found = append(found, clonedBy(o)...)
		}
	}
	return found
}

func clonedBy(policy *objects.Object) []TextManifest {
	if policy.Group != kyverno {
		return nil
	}
	var found []TextManifest
	for i, rule := range objects.Items(policy.Node.Lookup(manifest.Path{"spec", "rules"})) {
		generate := rule.Get("generate")
		m := TextManifest{Kind: "ServiceAccount", Namespace: generate.Get("namespace").String()}
		m.Line = policy.Position(manifest.Path{"spec", "rules", strconv.Itoa(i), "generate"}).Line
		switch {
		case generate.Get("clone") != nil && generate.Get("kind").String() == m.Kind:
			m.Name = generate.Get("name").String()
		case slices.ContainsFunc(objects.Items(generate.Lookup(manifest.Path{"cloneList", "kinds"})), isAccountKind):
			m.Name = "${NAME}"
		default:
			continue
		}
		found = append(found, m)
	}
	return found
}

// isAccountKind reports whether an item of cloneList.kinds is the kind of accounts, as in v1/ServiceAccount.
func isAccountKind(kind *manifest.Node) bool {
	text := kind.String()
	return text[strings.LastIndex(text, "/")+1:] == "ServiceAccount"
}
