package rules_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/salint/salint/internal/base/child"
	"github.com/salint/salint/rules"
)

// TestExpensiveRules checks that a rule of a user that never ends, or fills the memory, is stopped, that the error names the rule
// and the object, and that other rules are evaluated afterwards.
func TestExpensiveRules(t *testing.T) {
	t.Parallel()
	const number = "numbers.range(1, 1000000000)"
	for name, rule := range map[string]string{
		"comprehension":        "count([x | some x in " + number + "]) < 0",
		"set":                  "count({sprintf(\"%d\", [x]) | some x in " + number + "}) < 0",
		"object":               "count({sprintf(\"%d\", [x]): x | some x in " + number + "}) < 0",
		"nested comprehension": "count([y | some x in numbers.range(1, 100000); y := [z | some z in numbers.range(1, x)]]) < 0",
		"big strings":          "count([y | some x in " + number + `; y := sprintf("%0100000d", [x])]) < 0`,
		"walk": `a := [x | some x in numbers.range(1, 100000)]; b := [a, a, a, a, a, a]; c := [b, b, b, b, b, b]; ` +
			`count([p | some p, q; walk([c, c, c, c, c, c], [p, q])]) < 0`,
		"no end": "some a in numbers.range(1, 100000); some b in numbers.range(1, 100000); a * b < 0",
		"regex": `s := concat("", ["a" | some _ in numbers.range(1, 10000)]); ` +
			`some x in numbers.range(1, 100000); regex.match(sprintf("(a?){%d}b", [x % 1000]), s); x < 0`,
		"glob": `s := concat("", ["a" | some _ in numbers.range(1, 100000)]); ` +
			`some x in numbers.range(1, 100000); glob.match("*a*a*a*a*a*b", [], sprintf("%s%d", [s, x])); x < 0`,
	} {
		t.Run(name, func(t *testing.T) {
			if child.RaceDetector && name != "no end" {
				t.Skip("the kernel does not limit memory under the race detector")
			}
			w := worldOf(t, map[string]string{"maps.yaml": configMaps})
			dir := t.TempDir()
			source := header + "package salint.rules.custom.NAME\n\nimport data.salint.lib\n\nreport contains lib.finding([], \"m\") if {\n\tinput.resource\n\t"
			write(t, filepath.Join(dir, "x.rego"), strings.Replace(source, "NAME", "x", 1)+strings.ReplaceAll(rule, "; ", "\n\t")+"\n}\n")
			write(t, filepath.Join(dir, "y.rego"), strings.Replace(source, "NAME", "y", 1)+"true\n}\n")
			registry, err := rules.Load(t.Context(), rules.Options{PolicyDirs: []string{dir}, EvalTimeout: 2 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			defer registry.Close()
			evaluator, err := registry.Evaluator(t.Context(), []string{"custom/x", "custom/y"})
			if err != nil {
				t.Fatal(err)
			}
			found, err := evaluator.Evaluate(t.Context(), w, w.Unit.Objects[0])
			if err == nil || !strings.Contains(err.Error(), "rule custom/x on ConfigMap one (maps.yaml:1:1): ") {
				t.Errorf("the error is %v", err)
			}
			t.Log(err)
			if len(found) != 1 || found[0].Rule != "custom/y" {
				t.Errorf("found %v, want the report of the other rule", found)
			}
		})
	}
}

// TestExpensiveTests checks that a test of a policy has the same limits, and that the test and its place are named, whether time or
// memory ends first.
func TestExpensiveTests(t *testing.T) {
	t.Parallel()
	if child.RaceDetector {
		t.Skip("the kernel does not limit memory under the race detector")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "x.rego"), variant("x"))
	write(t, filepath.Join(dir, "x_test.rego"), `package salint.rules.custom.x_test

test_good if true

test_many if count([x | some x in numbers.range(1, 1000000000)]) == 1000000000
`)
	report, err := rules.TestPolicies(t.Context(), dir, rules.TestOptions{})
	_, failed, got := counted(t, report)
	if err != nil {
		failed, got = failed+1, err.Error()
	}
	if failed != 1 || !strings.Contains(got, "x_test.rego:5:") || !strings.Contains(got, "data.salint.rules.custom.x_test.test_many") {
		t.Errorf("%d failed: %s", failed, got)
	}
	t.Log(got)
}

// TestExpensivePolicies loads policies that are large, deep, or expensive to parse or to compile. An error names the file, or what was
// stopped, and this process neither parses nor compiles them: it allocates hardly more than their size.
func TestExpensivePolicies(t *testing.T) {
	if child.RaceDetector {
		t.Skip("the kernel does not limit memory under the race detector")
	}
	const size = 1 << 20
	source := header + "package salint.rules.custom.x\n" + body
	filled := func(text string) string {
		return source + strings.Repeat(text, (size-len(source)-100)/len(text)) + "\n"
	}
	aliases := "#   a0: &a0 [x]\n"
	for i := range 30 {
		aliases += strings.NewReplacer("N", strconv.Itoa(i+1), "M", strconv.Itoa(i)).Replace("#   aN: &aN [*aM, *aM, *aM, *aM]\n")
	}
	const maybe = "p" // whether it fails depends on the machine
	for name, test := range map[string]struct{ source, want string }{
		"rules":      {filled("a:=1\n"), maybe}, // about ten seconds, which is the limit
		"values":     {source + "x := [" + strings.Repeat("1,", size/2-1000) + "1]\n", maybe},
		"references": {source + "x := " + strings.Repeat("data.salint[", 3000) + "1" + strings.Repeat("]", 3000) + "\n", "x.rego"},
		"deep":       {source + "x := " + strings.Repeat("[", 300000) + "\n", "x.rego"},
		"aliases":    {strings.Replace(source, "# custom:\n", "# custom:\n"+aliases, 1), "x.rego"},
		"metadata":   {filled("# METADATA\n# title: a\n\nb if true\n"), "a policy can have at most"},
		"comments":   {filled("#\n"), ""},
		"too large":  {filled("#\n") + strings.Repeat("#", 1000), "a policy can have at most"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "x.rego"), test.source)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			begin := time.Now()
			registry, err := rules.Load(t.Context(), rules.Options{PolicyDirs: []string{dir}})
			took := time.Since(begin)
			runtime.ReadMemStats(&after)
			if err == nil {
				registry.Close()
			}
			if test.want != maybe && (test.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %.300v, want %q", err, test.want)
			}
			allocated := (after.TotalAlloc - before.TotalAlloc) >> 20
			t.Logf("%v, %d MiB: %.300v", took, allocated, err)
			if allocated > 64 {
				t.Errorf("%d MiB were allocated in this process", allocated)
			}
			if took > 30*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// TestTooManyPolicies limits the size of all policies together.
func TestTooManyPolicies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i := range 17 {
		write(t, filepath.Join(dir, fmt.Sprintf("x%d.rego", i)), "package a\n"+strings.Repeat("#", 1<<20-100)+"\n")
	}
	_, err := rules.Load(t.Context(), rules.Options{PolicyDirs: []string{dir}})
	if err == nil || !strings.Contains(err.Error(), "have more than 16 MiB") {
		t.Errorf("the error is %.300v", err)
	}
}
