package crdsafety

import (
	"sync"

	"sigs.k8s.io/crdify/pkg/config"
	"sigs.k8s.io/crdify/pkg/runner"
	"sigs.k8s.io/crdify/pkg/validations/property"
)

// checkers are the checks with and without growing enums.
var checkers = map[bool]func() (*runner.Runner, error){
	false: sync.OnceValues(func() (*runner.Runner, error) { return newRunner(false) }),
	true:  sync.OnceValues(func() (*runner.Runner, error) { return newRunner(true) }),
}

// newRunner returns the check with the configuration of operator-controller: changes of descriptions are allowed, everything that no
// validation knows is an error, and versions are not compared with each other if a webhook converts them.
//
// Source: operator-controller v1.4.0 to v1.11.0, rukpak/preflights/crdupgradesafety (defaultConfig), and go.mod: v1.4 has the commit 398e4483fb58
// of crdify, v1.5 to v1.8 have v0.5.0, v1.9 has the commit 54162f2e3097, whose packages are those of v0.6.0, and v1.10 and v1.11 have the
// commit bb9957dbf465, which adds a check of oneOf.
func newRunner(growingEnums bool) (*runner.Runner, error) {
	c := &config.Config{
		Conversion:           config.ConversionPolicyIgnore,
		UnhandledEnforcement: config.EnforcementPolicyError,
		Validations:          []config.ValidationConfig{{Name: "description", Enforcement: config.EnforcementPolicyNone}},
	}
	if growingEnums {
		c.Validations = append(c.Validations, config.ValidationConfig{
			Name: "enum", Enforcement: config.EnforcementPolicyError, Configuration: map[string]any{"additionPolicy": property.AdditionPolicyAllow},
		})
	}
	return runner.New(c, runner.DefaultRegistry())
}
