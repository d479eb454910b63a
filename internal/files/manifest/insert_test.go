package manifest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInsert(t *testing.T) {
	t.Parallel()
	account := map[string]any{"name": "x"}
	field := func(parent, after, key string, value any) func(*Document) (Edit, error) {
		return func(d *Document) (Edit, error) {
			path, err := ParsePath(parent)
			if err != nil {
				return Edit{}, err
			}
			return d.AddField(path, after, key, value)
		}
	}
	item := func(list string, value any) func(*Document) (Edit, error) {
		return func(d *Document) (Edit, error) { return d.AppendItem(Path{list}, value) }
	}
	scalar := func(key, value string) func(*Document) (Edit, error) {
		return func(d *Document) (Edit, error) { return d.SetScalar(Path{key}, value) }
	}
	for name, c := range map[string]struct {
		edit          func(*Document) (Edit, error)
		before, after string
	}{
		"field at the end":          {field("spec", "", "sa", account), "spec:\n  a: 1\nz: 1\n", "spec:\n  a: 1\n  sa:\n    name: x\nz: 1\n"},
		"field after a sibling":     {field("spec", "a", "sa", account), "spec:\n  a: 1 # one\n  # two\n  b: 2\n", "spec:\n  a: 1 # one\n  sa:\n    name: x\n  # two\n  b: 2\n"},
		"field without break":       {field("spec", "", "sa", "v"), "spec:\n  a: 1", "spec:\n  a: 1\n  sa: v"},
		"field, CRLF":               {field("spec", "a", "sa", account), "spec:\r\n  a: 1\r\n  b: 2\r\n", "spec:\r\n  a: 1\r\n  sa:\r\n    name: x\r\n  b: 2\r\n"},
		"field in flow":             {field("spec", "a", "sa", account), "spec: {a: 1, b: 2}\n", "spec: {a: 1, sa: {name: x}, b: 2}\n"},
		"field in empty braces":     {field("spec", "", "sa", account), "spec: {}\n", "spec: {sa: {name: x}}\n"},
		"field in JSON":             {field("spec", "a", "sa", account), "{\n  \"spec\": {\n    \"a\": 1\n  }\n}\n", "{\n  \"spec\": {\n    \"a\": 1,\n    \"sa\": {\"name\": \"x\"}\n  }\n}\n"},
		"field after a dash":        {field("items[0]", "a", "sa", account), "items:\n- a: 1\n  b: 2\n", "items:\n- a: 1\n  sa:\n    name: x\n  b: 2\n"},
		"field after a nested one":  {field("spec", "a", "sa", "v"), "spec:\n  a:\n    c: |\n      text\n  b: 2\n", "spec:\n  a:\n    c: |\n      text\n  sa: v\n  b: 2\n"},
		"item":                      {item("resources", "x.yaml"), "resources:\n- a.yaml # first\n# last\npatches: []\n", "resources:\n- a.yaml # first\n- x.yaml\n# last\npatches: []\n"},
		"item, indented":            {item("resources", "x.yaml"), "resources:\n  - a.yaml\n  # - b.yaml\npatches: []\n", "resources:\n  - a.yaml\n  - x.yaml\n  # - b.yaml\npatches: []\n"},
		"item in flow":              {item("resources", "x.yaml"), "resources: [a.yaml]\n", "resources: [a.yaml, x.yaml]\n"},
		"item in empty brackets":    {item("resources", "x.yaml"), "resources: []\n", "resources: [x.yaml]\n"},
		"item in an empty value":    {item("resources", "x.yaml"), "resources:\nz: 1\n", "resources:\n- x.yaml\nz: 1\n"},
		"item with fields":          {item("objects", map[string]any{"kind": "X", "metadata": map[string]any{"name": "foo"}}), "objects:\n- a: 1\n", "objects:\n- a: 1\n- kind: X\n  metadata:\n    name: foo\n"},
		"scalar":                    {scalar("a", "new"), "a: old # why\n", "a: new # why\n"},
		"scalar in quotes":          {scalar("a", "n'w"), "a: 'old'\n", "a: 'n''w'\n"},
		"scalar, double quotes":     {scalar("a", "n\"w"), "a: \"old\"\n", "a: \"n\\\"w\"\n"},
		"scalar that needs quotes":  {scalar("a", "true"), "a: old\n", "a: \"true\"\n"},
		"scalar for an empty value": {scalar("a", "new"), "a:\nb: 1\n", "a: new\nb: 1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := parse(t, c.before)
			edit, err := c.edit(d)
			if err != nil {
				t.Fatal(err)
			}
			after, err := Apply(d.File.Data, []Edit{edit})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.after, string(after)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		remove        int
		before, after string
	}{
		"first without marker": {0, "a: 1\n---\nb: 2\n", "b: 2\n"},
		"first with marker":    {0, "---\na: 1\n---\nb: 2\n", "---\nb: 2\n"},
		"last":                 {1, "a: 1\n---\n# about b\nb: 2\n", "a: 1\n"},
		"middle":               {1, "a: 1\n---\nb: 2\n--- # c\nc: 3\n", "a: 1\n--- # c\nc: 3\n"},
		"header stays":         {0, "# the file\n\na: 1\n---\nb: 2\n", "# the file\n\nb: 2\n"},
		"its comment goes":     {0, "# about a\na: 1\n---\nb: 2\n", "b: 2\n"},
		"whole file, first":    {0, "# salint:ignore-file x/y why\na: 1\n---\nb: 2\n", "# salint:ignore-file x/y why\n---\nb: 2\n"},
		"whole file, middle":   {1, "a: 1\n---\n# about b\n# salint:ignore-file x/y why\nb: 2\n---\nc: 3\n", "a: 1\n---\n# salint:ignore-file x/y why\n---\nc: 3\n"},
		"whole file, marker":   {1, "a: 1\n--- # salint:ignore-file x/y why\nb: 2\n", "a: 1\n---\n# salint:ignore-file x/y why\n"},
		"marker with a tag":    {0, "a: 1\n--- !x\nb: 2\n", "--- !x\nb: 2\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := Scan("test.yaml", []byte(c.before))
			after, err := Apply(f.Data, []Edit{f.RemoveDocument(c.remove)})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.after, string(after)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAppendDocument(t *testing.T) {
	t.Parallel()
	for before, want := range map[string]string{
		"a: 1\n":     "a: 1\n---\nb: 2\nc: 3\n",
		"a: 1":       "a: 1\n---\nb: 2\nc: 3\n",
		"a: 1\r\n":   "a: 1\r\n---\r\nb: 2\r\nc: 3\r\n",
		"a: 1\r\nb:": "a: 1\r\nb:\r\n---\r\nb: 2\r\nc: 3\r\n",
	} {
		f := Scan("test.yaml", []byte(before))
		after, err := Apply(f.Data, []Edit{f.AppendDocument("b: 2\nc: 3\n")})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(after)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", before, diff)
		}
	}
}
