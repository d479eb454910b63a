package usage

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// audienceUses returns the places of an object that request tokens for an audience, or accept them.
func (f *finder) audienceUses(o *objects.Object, name string) []Use {
	var found []Use
	eachValue(o.Node, nil, func(n *manifest.Node, path manifest.Path) {
		last := path[len(path)-1]
		if flag, values, is := strings.Cut(n.String(), "="); is && slices.Contains(strings.Split(values, ","), name) {
			switch flag {
			case "--api-audiences":
				found = append(found, Use{Path: path.Join(), Effect: Needs, How: "accepts tokens for it"})
			case "--service-account-issuer":
				found = append(found, Use{Path: path.Join(), Effect: Needs, How: "issues tokens for it, if --api-audiences sets no other"})
			}
		}
		if n.String() != name {
			return
		}
		around := path[len(path)-2]
		switch {
		case last == "audience" && around == "serviceAccountToken":
			found = append(found, Use{Path: path.Join(), Effect: Needs, How: "mounts tokens for it", Accounts: podAccounts(o)})
		case strings.EqualFold(last, "audience"), strings.HasSuffix(strings.ToLower(around), "audiences"):
			found = append(found, Use{Path: path.Join(), Effect: Needs, How: "requests or accepts tokens for it"})
		case !isBuiltIn(o) && !isOtherName(path) && !isText(o, path):
			found = append(found, Use{Path: path.Join(), Effect: May, How: "has its name"})
		}
	})
	return found
}
