package grafana

import (
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/manifest"
)

// RemovePermissions removes spec.permissions of a GrafanaServiceAccount, which the CRD does not have. The API server drops the field, so
// the object on the cluster stays as it is.
func RemovePermissions(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	path := manifest.Path{"spec", "permissions"}
	if r.Object.Kind != "GrafanaServiceAccount" || !slices.Equal(r.Path, path) {
		return nil, engine.Refuse("%s of %s %s is not spec.permissions of a GrafanaServiceAccount", r.Path, r.Object.Kind, r.Object.Name)
	}
	if err := c.CheckApplied(r.Object, "remove the field by hand"); err != nil {
		return nil, err
	}
	if err := c.CheckEditable(r.Object, path); err != nil {
		return nil, err
	}
	p := &engine.Plan{Object: r.Object, Description: "Remove spec.permissions, which the API server drops"}
	p.RemovePath(r.Object, path, commit.OrderOther)
	c.DeclareBuiltChanges(p)
	return p, nil
}
