package accesspolicy

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// Settings are fields of an extension beyond what is installed and where. They affect the operator's pods or turn off
// safety checks, so limited subjects cannot choose them. Each is a value as encoding/json decodes it, nil for none.
type Settings struct {
	// Channels and UpgradeConstraintPolicy are below spec.source.catalog, Config and Install below spec.
	Channels, UpgradeConstraintPolicy, Config, Install any
}

// defaultUpgrades is the value that the API server sets for spec.source.catalog.upgradeConstraintPolicy before admission
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

// clause is an expression that is true for an object with these settings. Most extensions have none, for which the policy
// has a variable.
func (s Settings) clause() string {
	if literal := s.literal(); literal != noSettings {
		return "variables.settings == " + literal
	}
	return "variables.settings == variables.noSettings"
}

// noSettings are the settings of an extension that sets none of the fields.
var noSettings = Settings{}.literal()

// literal writes the settings in CEL. Missing fields are empty, as in the policy's variable of the object.
func (s Settings) literal() string {
	return celValue(map[string]any{
		"channels":                or(s.Channels, []any{}),
		"upgradeConstraintPolicy": or(s.UpgradeConstraintPolicy, defaultUpgrades),
		"config":                  or(s.Config, map[string]any{}),
		"install":                 or(s.Install, map[string]any{}),
	})
}

// or returns a value, or a default for nil.
func or(value, none any) any {
	if value == nil {
		return none
	}
	return value
}

// celValue writes a value in CEL. In Kubernetes' CEL the values of a list or mapping must have the same type, so each is
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
	default: // int64 and bool are written the same way in Go and in CEL
		return fmt.Sprint(v)
	}
}
