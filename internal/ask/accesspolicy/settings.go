package accesspolicy

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// Settings are what an extension says beyond what is installed and where: they reach into the operator's pods, and switch
// safety checks off, so whoever is limited may not choose them. Each is a value as encoding/json decodes it, nil for none.
type Settings struct {
	// Channels and UpgradeConstraintPolicy are below spec.source.catalog, Config and Install below spec.
	Channels, UpgradeConstraintPolicy, Config, Install any
}

// defaultUpgrades is what the API server fills in for spec.source.catalog.upgradeConstraintPolicy before admission
// (operator-controller v1.11.0, api/v1/clusterextension_types.go).
const defaultUpgrades = "CatalogProvided"

func readSettings(spec *manifest.Node) Settings {
	catalog := spec.Lookup(manifest.Path{"source", "catalog"})
	return Settings{
		Channels:                catalog.Get("channels").Decode(),
		UpgradeConstraintPolicy: catalog.Get("upgradeConstraintPolicy").Decode(),
		Config:                  spec.Get("config").Decode(),
		Install:                 spec.Get("install").Decode(),
	}
}

// clause is true for an object with these settings. Those of most extensions are none at all, which the policy has a name for.
func (s Settings) clause() string {
	if literal := s.literal(); literal != noSettings {
		return "variables.settings == " + literal
	}
	return "variables.settings == variables.noSettings"
}

// noSettings are those of an extension that says nothing of its own.
var noSettings = Settings{}.literal()

// literal writes the settings in CEL. What is left out is there empty, as in the policy's variable of the object.
func (s Settings) literal() string {
	return celValue(map[string]any{
		"channels":                or(s.Channels, []any{}),
		"upgradeConstraintPolicy": or(s.UpgradeConstraintPolicy, defaultUpgrades),
		"config":                  or(s.Config, map[string]any{}),
		"install":                 or(s.Install, map[string]any{}),
	})
}

// or gives a value, or what stands for none.
func or(value, none any) any {
	if value == nil {
		return none
	}
	return value
}

// celValue writes a value as CEL has it. Kubernetes' CEL wants the values of one list or mapping to be of one type, so each is
// wrapped in dyn.
func celValue(value any) string {
	switch v := value.(type) {
	case map[string]any:
		entries := make([]string, 0, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			entries = append(entries, fmt.Sprintf("%s: dyn(%s)", celText(key), celValue(v[key])))
		}
		return "{" + strings.Join(entries, ", ") + "}"
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = fmt.Sprintf("dyn(%s)", celValue(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case string:
		return celText(v)
	case float64:
		return fmt.Sprintf("double(%s)", celText(strconv.FormatFloat(v, 'g', -1, 64)))
	case nil:
		return "null"
	default: // int64 and bool are written alike in Go and in CEL
		return fmt.Sprint(v)
	}
}
