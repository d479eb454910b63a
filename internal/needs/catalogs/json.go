package catalogs

import (
	"io"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
)

// jsonResolution is a resolution in JSON. Keys are only added.
type jsonResolution struct {
	// SchemaVersion is "1".
	SchemaVersion string   `json:"schemaVersion"`
	Package       string   `json:"package"`
	Installed     string   `json:"installed"`
	Bundle        string   `json:"bundle"`
	Version       string   `json:"version"`
	Image         string   `json:"image"`
	Catalog       string   `json:"catalog"`
	Channels      []string `json:"channels"`
	Edge          string   `json:"edge"`
	Installs      bool     `json:"installs"`
	Deprecated    bool     `json:"deprecated"`
	Notes         []string `json:"notes"`
	Commands      []string `json:"commands"`
}

// JSON writes what Text does.
func (r *Resolution) JSON(w io.Writer, request Request) error {
	return safetext.JSON(w, jsonResolution{
		SchemaVersion: "1", Package: request.Package, Installed: request.Installed, Bundle: r.Name, Version: r.Version, Image: r.Image,
		Catalog: r.Catalog.Name, Channels: words.NotNil(r.Channels), Edge: r.Edge, Installs: r.Requires == "", Deprecated: r.IsDeprecated,
		Notes: words.NotNil(r.notes()), Commands: r.commands(),
	})
}
