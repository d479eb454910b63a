package repo

import "testing"

func TestVendored(t *testing.T) {
	t.Parallel()
	for file, tests := range map[string]map[string]bool{
		"a.yaml":                     {".": false},
		"vendor.yaml":                {".": false},
		"vendored/a.yaml":            {".": false},
		"vendor/a.yaml":              {".": true, "vendor": false, "vendor/a.yaml": false},
		"a/vendor/b/c/d.yaml":        {".": true, "a": true, "a/vendor": false, "a/vendor/b": false, "a/vendor/b/c": false, "a/vendor/x": true},
		"web/node_modules/x/a.json":  {".": true, "web/node_modules/x": false},
		"vendor/node_modules/a.yaml": {"vendor": true, "vendor/node_modules": false},
		"charts/x/charts/y/a.yaml":   {".": false},
	} {
		for named, want := range tests {
			r := &Repo{named: map[string]bool{named: true}}
			if got := r.Vendored(file); got != want {
				t.Errorf("%s with the path %s: %v, want %v", file, named, got, want)
			}
		}
	}
}
