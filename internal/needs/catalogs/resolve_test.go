package catalogs_test

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/needs/catalogs"
)

const ferry = `schema: olm.package
name: ferry
defaultChannel: stable
---
schema: olm.channel
package: ferry
name: stable
entries:
- {name: ferry.v1.0.0}
- {name: ferry.v1.1.0, replaces: ferry.v1.0.0}
- {name: ferry.v1.2.0, replaces: ferry.v1.1.0, skips: [ferry.v1.0.1]}
---
schema: olm.channel
package: ferry
name: fast
entries:
- {name: ferry.v2.0.0, skipRange: ">=1.2.0 <2.0.0"}
- {name: ferry.v2.0.0-2, replaces: ferry.v2.0.0}
---
{schema: olm.bundle, package: ferry, name: ferry.v1.0.0, image: "example.com/ferry:1.0.0", properties: [{type: olm.package, value: {packageName: ferry, version: 1.0.0}}]}
---
{schema: olm.bundle, package: ferry, name: ferry.v1.1.0, properties: [{type: olm.package, value: {packageName: ferry, version: 1.1.0}}]}
---
{schema: olm.bundle, package: ferry, name: ferry.v1.2.0, properties: [{type: olm.package, value: {packageName: ferry, version: 1.2.0}}]}
---
{schema: olm.bundle, package: ferry, name: ferry.v2.0.0, properties: [{type: olm.package, value: {packageName: ferry, version: 2.0.0}}, {type: olm.package.required, value: {}}]}
---
{schema: olm.bundle, package: ferry, name: ferry.v2.0.0-2, properties: [{type: olm.package, value: {packageName: ferry, version: 2.0.0+2}}]}
---
{schema: olm.bundle, package: other, name: other.v9.0.0, properties: [{type: olm.package, value: {packageName: other, version: 9.0.0}}]}
`

const deprecation = `---
schema: olm.deprecations
package: ferry
entries:
- {reference: {schema: olm.bundle, name: ferry.v2.0.0-2}, message: it sinks}
- {reference: {schema: olm.bundle, name: ferry.v2.0.0}, message: it sinks}
- {reference: {schema: olm.bundle, name: ferry.v1.0.0}, message: too old}
`

// twoChannels has the same bundles in two channels, of which one has an upgrade.
const twoChannels = `schema: olm.channel
package: ferry
name: stable
entries: [{name: ferry.v1.0.0}, {name: ferry.v1.1.0}]
---
schema: olm.channel
package: ferry
name: fast
entries: [{name: ferry.v1.0.0}, {name: ferry.v1.1.0, replaces: ferry.v1.0.0}]
---
{schema: olm.bundle, package: ferry, name: ferry.v1.0.0, properties: [{type: olm.package, value: {packageName: ferry, version: 1.0.0}}]}
---
{schema: olm.bundle, package: ferry, name: ferry.v1.1.0, properties: [{type: olm.package, value: {packageName: ferry, version: 1.1.0}}]}
`

func TestResolve(t *testing.T) {
	t.Parallel()
	tree := filestest.Tree{
		"two/catalog.yaml": twoChannels, "second/catalog.yaml": ferry + deprecation + "---\nschema: olm.deprecations\npackage: ferry\nentries: [{reference: {schema: olm.bundle, name: ferry.v1.2.0}, message: later}]\n", "plain/catalog.yaml": ferry, "old/catalog.yaml": ferry + deprecation,
		"small/catalog.yaml": "schema: olm.bundle\npackage: ferry\nname: ferry.v1.0.0\nproperties: [{type: olm.package, value: {packageName: ferry, version: 1.0.0}}]\n",
	}
	for name, test := range map[string]struct {
		catalogs []string
		priority []int
		request  catalogs.Request
		// want is the name of the bundle, or a part of the error.
		want, edge string
	}{
		"the newest, by release":                    {[]string{"plain"}, nil, catalogs.Request{}, "ferry.v2.0.0-2", ""},
		"in a channel":                              {[]string{"plain"}, nil, catalogs.Request{Channels: []string{"stable"}}, "ferry.v1.2.0", ""},
		"in a range":                                {[]string{"plain"}, nil, catalogs.Request{Version: "<1.2"}, "ferry.v1.1.0", ""},
		"replaces":                                  {[]string{"plain"}, nil, catalogs.Request{Installed: "ferry.v1.0.0"}, "ferry.v1.1.0", "channel stable: it replaces ferry.v1.0.0"},
		"skips what is not listed":                  {[]string{"plain"}, nil, catalogs.Request{Installed: "1.0.1"}, "ferry.v1.2.0", "channel stable: it skips ferry.v1.0.1"},
		"skipRange":                                 {[]string{"plain"}, nil, catalogs.Request{Installed: "1.2.0"}, "ferry.v2.0.0", "channel fast: its skipRange >=1.2.0 <2.0.0 includes 1.2.0"},
		"not by a channel that is not selected":     {[]string{"two"}, nil, catalogs.Request{Installed: "1.0.0", Channels: []string{"stable"}}, "ferry.v1.0.0", ""},
		"by the selected channel":                   {[]string{"two"}, nil, catalogs.Request{Installed: "1.0.0", Channels: []string{"fast"}}, "ferry.v1.1.0", "channel fast: it replaces ferry.v1.0.0"},
		"by any channel":                            {[]string{"two"}, nil, catalogs.Request{Installed: "1.0.0"}, "ferry.v1.1.0", "channel fast: it replaces ferry.v1.0.0"},
		"nothing newer":                             {[]string{"plain"}, nil, catalogs.Request{Installed: "ferry.v2.0.0-2"}, "ferry.v2.0.0-2", ""},
		"deprecated ones are last":                  {[]string{"old"}, nil, catalogs.Request{}, "ferry.v1.2.0", ""},
		"the first deprecations count":              {[]string{"second"}, nil, catalogs.Request{}, "ferry.v1.2.0", ""},
		"only a deprecated one":                     {[]string{"old"}, nil, catalogs.Request{Version: "1.0.0"}, "ferry.v1.0.0", ""},
		"not the deprecated one of another catalog": {[]string{"old", "small"}, nil, catalogs.Request{Version: "1.0.0"}, "ferry.v1.0.0", ""},
		"ambiguous":                                 {[]string{"plain", "small"}, nil, catalogs.Request{}, "several catalogs of the same priority", ""},
		"by priority":                               {[]string{"plain", "small"}, []int{0, 5}, catalogs.Request{}, "ferry.v1.0.0", ""},
		"no such version":                           {[]string{"plain"}, nil, catalogs.Request{Version: ">3"}, "no bundle of package ferry in the version >3: the versions are 1.0.0, 1.1.0,", ""},
		"an invalid version":                        {[]string{"plain"}, nil, catalogs.Request{Version: "latest"}, "the API server rejects it", ""},
		"no such package":                           {[]string{"plain"}, nil, catalogs.Request{Package: "boat"}, "no catalog has the package boat", ""},
	} {
		if test.request.Package == "" {
			test.request.Package = "ferry"
		}
		var all []*catalogs.Catalog
		for i, dir := range test.catalogs {
			c, err := catalogs.Read(tree.FS(), dir, test.request.Package)
			if err != nil {
				t.Fatal(err)
			}
			if test.priority != nil {
				c.Priority = test.priority[i]
			}
			all = append(all, c)
		}
		got, err := catalogs.Resolve(all, test.request)
		if err != nil {
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: got the error %v, want %s", name, err, test.want)
			}
			continue
		}
		if got.Name != test.want || got.Edge != test.edge {
			t.Errorf("%s: got %s by %q, want %s by %q", name, got.Name, got.Edge, test.want, test.edge)
		}
	}
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	tree := filestest.Tree{"a/bad.yaml": "schema: olm.bundle\npackage: ferry\nentries: 7\n"}
	for _, dir := range []string{"a", "missing"} {
		if _, err := catalogs.Read(tree.FS(), dir, "ferry"); err == nil {
			t.Errorf("%s: no error", dir)
		}
	}
}
