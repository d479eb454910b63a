package flux

import (
	"bytes"
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
)

// Settings are what the flags of a controller set.
type Settings struct {
	// Isolated is set if the controller refuses references to other namespaces.
	Isolated bool
	// DefaultAccount is the name of the account, in the namespace of each object, as which the controller acts for an object that names none;
	// "" if it then acts as its own.
	DefaultAccount string
}

// The flags.
//
// Source: https://fluxcd.io/flux/installation/configuration/multitenancy/.
const (
	isolationFlag = "--no-cross-namespace-refs"
	accountFlag   = "--default-service-account="
)

// DefaultAccountWord is a word of each Deployment of a controller with the flag for the default account.
const DefaultAccountWord = "default-service-account"

// ShowsDefaultAccount reports whether a file can set the default account: by the flag, or in a FluxInstance, from which the flag is made.
func ShowsDefaultAccount(data []byte) bool {
	return bytes.Contains(data, []byte(DefaultAccountWord)) || bytes.Contains(data, []byte("multitenant"))
}

// SettingsOf returns the settings of a controller, whose Deployments and FluxInstances are among some objects. Of several, all have to set a
// flag: they can be of different clusters.
func SettingsOf(objs []*objects.Object, controller string) Settings {
	var all []Settings
	for _, o := range objs {
		switch {
		case !IsController(o, controller):
		case o.Kind == "Deployment":
			all = append(all, settingsIn(o.JSON()))
		default:
			all = append(all, settingsOfInstance(o, controller))
		}
	}
	if len(all) == 0 {
		return Settings{}
	}
	set := all[0]
	for _, s := range all[1:] {
		set.Isolated = set.Isolated && s.Isolated
		if s.DefaultAccount == "" {
			set.DefaultAccount = ""
		}
	}
	return set
}

// IsController reports whether an object is the Deployment of a controller, or a FluxInstance, which makes it.
func IsController(o *objects.Object, controller string) bool {
	return o.Group == "apps" && o.Kind == "Deployment" && o.Name == controller || o.Group == operatorGroup && o.Kind == "FluxInstance"
}

// settingsOfInstance returns what a FluxInstance sets for a controller.
//
// Source: flux-operator (GetProfileMultitenant).
func settingsOfInstance(o *objects.Object, controller string) (s Settings) {
	for _, patch := range items(field(o.JSON(), "spec", "kustomize", "patches")) {
		if target := text(field(patch, "target", "name")); target == "" || matches(target, controller) {
			s = s.with(settingsIn(field(patch, "patch")))
		}
	}
	if tenants, _ := field(o.JSON(), "spec", "cluster", "multitenant").(bool); tenants {
		account := text(field(o.JSON(), "spec", "cluster", "tenantDefaultServiceAccount"))
		s = s.with(Settings{Isolated: true, DefaultAccount: cmp.Or(account, "default")})
	}
	return s
}

func (s Settings) with(more Settings) Settings {
	return Settings{Isolated: s.Isolated || more.Isolated, DefaultAccount: cmp.Or(more.DefaultAccount, s.DefaultAccount)}
}

// matches reports whether the name of the target of a patch, a regular expression, selects an object.
func matches(target, name string) bool {
	expression, err := regexp.Compile("^(?:" + target + ")$")
	return err == nil && expression.MatchString(name)
}

// settingsIn searches a value for flags: a text is one, or a patch with lines of them.
func settingsIn(value any) (s Settings) {
	for _, word := range wordsIn(value, nil) {
		if account, is := strings.CutPrefix(word, accountFlag); is {
			s.DefaultAccount = account
		}
		s.Isolated = s.Isolated || word == isolationFlag || word == isolationFlag+"=true"
	}
	return s
}

// wordsIn adds the words of all texts in a value, without quotes.
func wordsIn(value any, words []string) []string {
	switch v := value.(type) {
	case string:
		for _, word := range strings.Fields(v) {
			words = append(words, strings.Trim(word, `"',[]{}`))
		}
	case []any:
		for _, item := range v {
			words = wordsIn(item, words)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			words = wordsIn(v[key], words)
		}
	}
	return words
}
