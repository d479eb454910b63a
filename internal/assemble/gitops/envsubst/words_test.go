package envsubst

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWords compares objects whose variables are filled in word by word with what Flux makes of their YAML.
func TestWords(t *testing.T) {
	t.Parallel()
	seeds := uint64(20_000)
	if testing.Short() {
		seeds = 2_000
	}
	quick := 0
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 9))
		object, variables := randomObject(r, 3), randomVariables(r)
		object["app"] = "${A}"
		got, ok := withWords(object, variables)
		if !ok {
			continue
		}
		quick++
		want, undefined, err := inText(object, variables)
		if diff := cmp.Diff(textOf(t, want), textOf(t, got)); diff != "" || err != nil || len(undefined) > 0 {
			t.Fatalf("seed %d: %v, undefined %v, error %v, -Flux +words:\n%s\n%s", seed, variables, undefined, err, diff, textOf(t, object))
		}
	}
	if quick < int(seeds)/50 {
		t.Errorf("%d of %d objects were filled in word by word", quick, seeds)
	}
	t.Logf("%d of %d objects were filled in word by word", quick, seeds)
}

func textOf(t *testing.T, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func one[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// randomObject has texts that are close to those that YAML writes in another way.
func randomObject(r *rand.Rand, depth int) map[string]any {
	object := map[string]any{}
	for range 1 + r.IntN(4) {
		object[one(r, "name", "a.b/c", "key", "yes", "1", "x: y", "a b", "#", "-", "?", "key: ", "'q'", "\"", "a#", "{", "é")] = randomValue(r, depth)
	}
	return object
}

func randomValue(r *rand.Rand, depth int) any {
	if depth > 0 && r.IntN(3) == 0 {
		return randomObject(r, depth-1)
	}
	if depth > 0 && r.IntN(4) == 0 {
		items := []any{}
		for range r.IntN(3) {
			items = append(items, randomValue(r, depth-1))
		}
		return items
	}
	return one[any](r, nil, true, int64(1), int64(-7), int64(1<<52), "text", "", "yes", "1", "1.5", "~", "null", "a: b", "# a", "a #b", "- a", "{a}", "'", `"`, `\`, "*a", "&a", "!a", "|", ">",
		"%", "@", "`", "two\nlines", "a\n", "a\n\nb\n", "a \n b", "x\n  y\n", "a:\n- b", "key:", "0x10", "1e3", "2001-01-01", "12:30:45", "=", "<<", ".inf", "---", "---\na", "...", "a\n---\nb", "a, b", "[a", "?a", "? a",
		"long long long long long long long long long long long long long long long long long long long long long long long long  long long long long long",
		randomText(r), randomText(r), randomText(r), randomText(r))
}

func randomText(r *rand.Rand) string {
	text := one(r, "", "", "app-", "https://", "a:", "x'", `"`, "y", "1", "#", "-", "n")
	for range 1 + r.IntN(2) {
		text += one(r, "${A}", "${B}", "${C}") + one(r, "", "", ".", ".example.com", ":", ":80", "'", `"`, ",", "#", "}", "]", `\`, "/x", "0", "=", "\n", "$", "${", " ", ": ", " #x")
	}
	return text
}

func randomVariables(r *rand.Rand) map[string]string {
	variables := map[string]string{}
	for _, name := range []string{"A", "B", "C"} {
		if r.IntN(12) > 0 {
			variables[name] = one(r, "word", "example.com", "N", "no", "TRUE", "y", "null", "a/b", "X-1", "es", "ull", "rue", fmt.Sprint(r.IntN(5)), "", "-", "a b", "'a", "a:", "a\nb")
		}
	}
	if r.IntN(50) == 0 {
		variables["not-valid"] = "a"
	}
	return variables
}

// A short text that names a long value often is refused before it grows.
func TestShortTextOfManyLongValues(t *testing.T) {
	t.Parallel()
	object := map[string]any{"kind": "ConfigMap", "data": map[string]any{"a": strings.Repeat("${A}", 15_000)}}
	variables := map[string]string{"A": strings.Repeat("a", 1<<20)}
	w := words{variables, maxWords}
	if filled, ok := w.object(object); ok || w.left < -2<<20 {
		t.Errorf("%d bytes beyond the limit, %d fields", -w.left, len(filled))
	}
	if _, _, err := Object(object, variables); err == nil {
		t.Error("substituted")
	}
}
