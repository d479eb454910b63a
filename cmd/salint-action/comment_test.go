package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/output/markdown"
)

func testComment(paths string) comment {
	return newComment(func(name string) string { return map[string]string{"INPUT_PATHS": paths, "GITHUB_JOB": "salint"}[name] })
}

func TestBodyOfComment(t *testing.T) {
	t.Parallel()
	c := testComment("apps")
	for name, test := range map[string]struct{ text, want string }{
		"a report": {"## salint: 2 findings\n", c.marker + "\n## salint: 2 findings"},
		"nothing":  {"\n", c.marker + "\n" + nothing},
	} {
		body, err := c.body(test.text)
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Body string }
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got.Body); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	body, err := c.body(strings.Repeat("ö", markdown.Limit))
	var long struct{ Body string }
	if err := errors.Join(err, json.Unmarshal(body, &long)); err != nil {
		t.Fatal(err)
	}
	if n := utf8.RuneCountInString(long.Body); n > markdown.Limit || !strings.HasSuffix(long.Body, "the job summary has the rest.\n") {
		t.Errorf("%d characters, which end with %q", n, long.Body[len(long.Body)-60:])
	}
}

// Only what a workflow wrote for the same check is updated. The author of any other comment could edit it later.
func TestFindComment(t *testing.T) {
	t.Parallel()
	c, other := testComment("apps"), testComment("clusters")
	if c.marker == other.marker {
		t.Fatalf("checks of other paths have the same marker %s", c.marker)
	}
	posted := func(id int, kind, body string) string {
		text, _ := json.Marshal(body)
		return fmt.Sprintf(`{"id": %d, "user": {"type": %q, "login": "x"}, "body": %s}`, id, kind, text)
	}
	for name, test := range map[string]struct{ lists, want string }{
		"none":                       {"[]", ""},
		"no answer":                  {"", ""},
		"that of the workflow":       {"[" + posted(7, "Bot", c.marker+"\nreport") + "]", "7\n"},
		"on a later page":            {"[" + posted(1, "Bot", "else") + "]\n[" + posted(8, "Bot", c.marker+"\nreport") + "]", "8\n"},
		"of another check":           {"[" + posted(7, "Bot", other.marker+"\nreport") + "]", ""},
		"written by a person":        {"[" + posted(7, "User", c.marker+"\nforged") + "]", ""},
		"quoted in another comment":  {"[" + posted(7, "Bot", "> "+c.marker) + "]", ""},
		"the first of several":       {"[" + posted(7, "Bot", c.marker) + "," + posted(9, "Bot", c.marker) + "]", "7\n"},
		"a forged one, and the real": {"[" + posted(7, "User", c.marker) + "," + posted(9, "Bot", c.marker) + "]", "9\n"},
	} {
		var out bytes.Buffer
		if err := c.find(strings.NewReader(test.lists), &out); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(test.want, out.String()); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	if err := c.find(strings.NewReader(`{"message": "Bad credentials"}`), &bytes.Buffer{}); err == nil {
		t.Error("an error of the API is read as comments")
	}
}
