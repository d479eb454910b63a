package envsubst_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/gitops/envsubst"
)

func TestFill(t *testing.T) {
	t.Parallel()
	variables := map[string]string{"region": "north", "empty": "", "lines": "a\nb"}
	for _, c := range []struct {
		name, text, want string
		undefined        []string
	}{
		{"a variable", "ns-${region}", "ns-north", nil},
		{"without braces it is none", "$region", "$region", nil},
		{"one that is not defined", "a${zone}b", "ab", []string{"zone"}},
		{"a default", "${zone:=z1} ${zone:-z2} ${empty:=z3} ${region:=z4}", "z1 z2 z3 north", []string{"zone"}},
		{"a default that is a variable", "${zone:-${region}}", "north", []string{"zone"}},
		{"escaped", "$${region} ${region}", "${region} north", nil},
		{"upper case", "${region^^} ${region^}", "NORTH North", nil},
		{"a part", "${region:1:2}", "or", nil},
		{"replaced", "${region/nor/sou}", "south", nil},
		{"without its line breaks", "${lines}", "ab", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, undefined, err := envsubst.Fill(c.text, variables)
			if err != nil || got != c.want {
				t.Errorf("got %q and the error %v, want %q", got, err, c.want)
			}
			if diff := cmp.Diff(c.undefined, undefined); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text      string
		variables map[string]string
	}{
		"an open brace":               {"${region", nil},
		"a name with spaces":          {"${my region}", nil},
		"a wrong name":                {"${a}", map[string]string{"a-b": "c"}},
		"a length beyond all numbers": {"${a:1:9223372036854775807}", map[string]string{"a": "abcdef"}},
		"a zero byte":                 {"a\x00${a}", nil},
	} {
		if got, _, err := envsubst.Fill(c.text, c.variables); err == nil {
			t.Errorf("%s: got %q and no error", name, got)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	long := map[string]string{"a": strings.Repeat("a", 1<<20)}
	for name, text := range map[string]string{
		"many variables":         strings.Repeat("${b}", 200_000),
		"a value very often":     strings.Repeat("${a}", 1000),
		"a long value is cut":    "${a##*a*a*a*b}",
		"a long value replaced":  "${a//a/aaaa}",
		"a value within a value": "${b//a/${b//a/${b}}}",
		"a long text":            strings.Repeat("a", 17<<20) + "${b}",
	} {
		var limit *envsubst.LimitError
		if _, _, err := envsubst.Fill(text, long); !errors.As(err, &limit) {
			t.Errorf("%s: got %v, want a limit", name, err)
		}
	}
}

func TestObject(t *testing.T) {
	t.Parallel()
	object := func(annotation string) map[string]any {
		return map[string]any{
			"kind":     "ClusterExtension",
			"metadata": map[string]any{"name": "${name}", "annotations": map[string]any{"kustomize.toolkit.fluxcd.io/substitute": annotation}},
			"spec":     map[string]any{"replicas": "${count}", "quoted": "x${count}"},
		}
	}
	got, undefined, err := envsubst.Object(object("enabled"), map[string]string{"name": "harbor", "count": "3"})
	want := object("enabled")
	want["metadata"].(map[string]any)["name"] = "harbor"
	want["spec"] = map[string]any{"replicas": float64(3), "quoted": "x3"}
	if diff := cmp.Diff(want, got); diff != "" || err != nil || undefined != nil {
		t.Error(diff, undefined, err)
	}
	kept, _, err := envsubst.Object(object("disabled"), map[string]string{"name": "harbor"})
	if diff := cmp.Diff(object("disabled"), kept); diff != "" || err != nil {
		t.Error(diff, err)
	}
	broken := map[string]any{"a": "${b}"}
	if _, _, err := envsubst.Object(broken, map[string]string{"b": "[: {"}); err == nil {
		t.Error("what is no YAML any more was read")
	}
}

// FuzzFill substitutes arbitrary texts. Nothing may panic.
func FuzzFill(f *testing.F) {
	f.Add("a ${b} $${c} ${d:=e} ${f:-${g}} ${h^^} ${i,,}", "v")
	f.Add("${a#*b} ${a%%b*} ${a/b/c} ${a//b/} ${#a} ${a:1} ${a:-1:-9}", "abba")
	f.Add("${", "\n")
	f.Fuzz(func(t *testing.T, text, value string) {
		filled, _, err := envsubst.Fill(text, map[string]string{"a": value, "b": value})
		if err == nil && !strings.Contains(text, "$") && filled != text {
			t.Errorf("%q became %q", text, filled)
		}
	})
}
