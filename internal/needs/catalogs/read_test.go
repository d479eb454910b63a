package catalogs_test

import (
	"testing"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/needs/catalogs"
)

// TestFilesOfCatalogs reads those files of a catalog that OLM reads.
func TestFilesOfCatalogs(t *testing.T) {
	t.Parallel()
	const (
		bundle  = "schema: olm.bundle\npackage: ferry\nname: ferry.v9.0.0\nproperties: [{type: olm.package, value: {packageName: ferry, version: 9.0.0}}]\n"
		invalid = "schema: olm.package\nname: [oar\n"
	)
	for name, test := range map[string]struct {
		files filestest.Tree
		// want is the selected bundle, "" for an error.
		want string
	}{
		"no extension":                     {filestest.Tree{"c/more": bundle}, "ferry.v9.0.0"},
		"another extension":                {filestest.Tree{"c/more.txt": bundle}, "ferry.v9.0.0"},
		"excluded":                         {filestest.Tree{"c/more.yaml": bundle, "c/.indexignore": "more.yaml\n"}, "ferry.v2.0.0-2"},
		"an excluded folder":               {filestest.Tree{"c/old/more.yaml": bundle, "c/.indexignore": "/old\n"}, "ferry.v2.0.0-2"},
		"excluded below only":              {filestest.Tree{"c/more.yaml": bundle, "c/old/.indexignore": "more.yaml\n"}, "ferry.v9.0.0"},
		"included again below":             {filestest.Tree{"c/old/more.txt": bundle, "c/.indexignore": "*.txt\n", "c/old/.indexignore": "!more.txt\n"}, "ferry.v9.0.0"},
		"invalid, of another package":      {filestest.Tree{"c/other.yaml": invalid}, ""},
		"prose":                            {filestest.Tree{"c/README.md": "This is a catalog.\n"}, ""},
		"invalid JSON of another package":  {filestest.Tree{"c/other.json": `{"schema": "olm.package", "name": "oar"`}, ""},
		"an invalid file that is excluded": {filestest.Tree{"c/other.yaml": invalid, "c/README.md": "Prose.\n", "c/.indexignore": "*.md\nother.*\n"}, "ferry.v2.0.0-2"},
		"another schema":                   {filestest.Tree{"c/notes.yaml": "schema: example.notes\npackage: ferry\nentries: 7\n"}, "ferry.v2.0.0-2"},
		"valid files of other packages":    {filestest.Tree{"c/other.yaml": "schema: olm.package\nname: oar\n", "c/oar.json": `{"schema": "olm.package", "name": "oar"}{"schema": "x", "entries": 3}`}, "ferry.v2.0.0-2"},
	} {
		test.files["c/catalog.yaml"] = ferry
		got := ""
		c, err := catalogs.Read(test.files.FS(), "c", "ferry")
		if err == nil {
			resolution, err := catalogs.Resolve([]*catalogs.Catalog{c}, catalogs.Request{Package: "ferry"})
			if err != nil {
				t.Fatal(err)
			}
			got = resolution.Name
		}
		if got != test.want {
			t.Errorf("%s: got %q (%v), want %q", name, got, err, test.want)
		}
	}
}
