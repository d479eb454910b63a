package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file, text string
		want             []string
	}{
		{"whole words", "a.md", "Amended, commended: mend.", []string{`1:21 mend: fix`}},
		{"upper case", "a.md", "Whoever is bound", []string{`1:1 Whoever: anyone who`}},
		{"across lines", "a.md", "It goes\nby the target.", []string{`1:4 goes by: uses, or is decided by`}},
		{"not across paragraphs", "a.md", "It goes\n\nBy the target", nil},
		{"not across cells", "a.md", "| goes | by |", nil},
		{"a sentence that begins with a participle", "a.md", "* Judged are bindings.", []string{`1:3 Judged are: active voice: This rule checks …, Reports …`}},
		{"a participle inside a sentence", "a.md", "Bindings judged are few.", nil},
		{"for as a reason", "a.md", "a copy, for the file is new", []string{`1:7 , for the file is: because`}},
		{"for as a preposition", "a.md", "a copy, for the migration", nil},
		{"else of code", "a.rego", "x := 1 if { y } else := 2", nil},
		{"else of prose", "a.md", "take it; else nothing is written", []string{`1:10 else: otherwise`}},
		{"anything else", "a.md", "and nothing else.", nil},
		{"no pod", "a.md", "It is no pod.", []string{`1:4 is no pod: is not a`}},
		{"no longer", "a.md", "It is no longer used. There is no pod.", nil},
		{"British spelling", "a.md", "behaviour", []string{`1:1 behaviour: behavior`}},
		{"output", "a.md", "```\nmend\n```\n", nil},
		{"text between blocks", "a.md", "```yaml\n```\nmend\n```yaml\n```\n", []string{`3:1 mend: fix`}},
		{"an example in YAML", "a.md", "```yaml\n# mend\n```\n", []string{`2:3 mend: fix`}},
		{"a link", "a.md", "[x](#mend)", nil},
		{"columns count code points", "a.md", "…… mend", []string{`1:4 mend: fix`}},
		{"a string", "a.go", `package a; var x = "somebody"`, []string{`1:21 somebody: a user, anyone, or the component that does it`}},
		{"strings that are concatenated", "a.go", "package a; var x = \"it goes \" +\n\t\"by\"", []string{`1:24 goes by: uses, or is decided by`}},
		{"strings beside each other", "a.go", `package a; var x = []string{"goes", "by"}`, nil},
		{"an escape", "a.go", `package a; var x = "\nhe"`, []string{`1:23 he: they, or the user`}},
		{"a verb of a format", "a.go", `package a; var x = "nothing %s says"`, []string{`1:21 nothing %s says: unknown, not detected`}},
		{"an import", "a.go", "package a\nimport \"x/mend\"\n", nil},
		{"a tag", "a.go", "package a\ntype x struct { y int `json:\"mend\"` }", nil},
		{"an identifier", "a.go", "package a; func mend() {}", nil},
		{"a comment", "a.go", "package a\n\n// It goes\n// by it.\n", []string{`3:7 goes by: uses, or is decided by`}},
		{"two comments", "a.go", "package a\n\n// It goes\n\n// by it.\n", nil},
		{"a word that comments need", "a.go", "package a\n\n// It says that.\n", nil},
		{"a directive", "a.go", "package a\n\n//go:generate mend\n", nil},
		{"METADATA", "a.rego", "# METADATA\n# title: x\n# description: It goes\n#   by it.\n", []string{`3:19 goes by: uses, or is decided by`}},
		{"a message in a policy", "a.rego", `f := sprintf("whoever has %s", [x])`, []string{`1:15 whoever: anyone who`}},
		{"a built-in function", "a.md", "Ask salint.mentions(account).", nil},
		{"a workflow", "ci.yml", "# mend\non: push\n", []string{`1:3 mend: fix`}},
		{"a test", "a_test.go", `package a; var x = "mend"`, nil},
		{"another file", "a.txt", "mend", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			if split := splitter(c.file); split != nil {
				for _, part := range split([]byte(c.text)) {
					for _, h := range find(c.file, []byte(c.text), part, compile(vocabulary), compile(allowedPhrases)) {
						got = append(got, h.place()+" "+h.words+": "+h.write)
					}
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q\n got %q\nwant %q", c.text, got, c.want)
			}
		})
	}
}

func TestRun(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write(t, filepath.Join(folder, "docs", "a.md"), "Fix it.\n\nMend it.\n")
	write(t, filepath.Join(folder, "docs", "testdata", "a.md"), "mend\n")
	var out, errors strings.Builder
	if code := run([]string{folder}, &out, &errors); code != 1 {
		t.Errorf("exit code %d: %s", code, errors.String())
	}
	if want := filepath.ToSlash(folder) + "/docs/a.md:3:1: \"Mend\": write \"fix\"\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	out.Reset()
	if code := run([]string{"-count", folder}, &out, &errors); code != 1 || strings.Fields(out.String())[0] != "1" {
		t.Errorf("exit code %d: %s", code, out.String())
	}
	if code := run([]string{filepath.Join(folder, "missing")}, &out, &errors); code != 2 {
		t.Errorf("exit code %d", code)
	}
}

// Every phrase of the vocabulary finds itself, so none is misspelt or hidden by an exception.
func TestPhrases(t *testing.T) {
	t.Parallel()
	words, allowed := compile(vocabulary), compile(allowedPhrases)
	for _, e := range vocabulary {
		for _, text := range e.phrases {
			var example []string
			for _, token := range strings.Fields(text) {
				first, _, _ := strings.Cut(token, "|")
				example = append(example, strings.NewReplacer("*", "word", "#", "(").Replace(first))
			}
			line := strings.Join(example, " ")
			if len(find("a.md", []byte(line), part{message, []byte(line)}, words, allowed)) == 0 {
				t.Errorf("%q does not find %q", text, line)
			}
		}
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
