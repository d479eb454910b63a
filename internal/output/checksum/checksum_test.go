package checksum

import "testing"

func TestChecksum(t *testing.T) {
	t.Parallel()
	report := "{\n  \"a\": [1, {\"x\": \"<é>\", \"y\": 1.50}],\n  \"b\": {\"c\": null}\n}\n"
	of := func(text string) string {
		sum, err := Of([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	want := of(report)
	for name, text := range map[string]string{
		"sorted and compact": `{"a":[1,{"x":"<\u00e9>","y":1.50}],"b":{"c":null}}`,
		"another order":      `{"b": {"c": null}, "checksum": "x", "a": [1, {"y": 1.50, "x": "\u003cé\u003e"}]}`,
	} {
		if got := of(text); got != want {
			t.Errorf("%s: %s, not %s", name, got, want)
		}
	}
	for name, text := range map[string]string{
		"an item less":      `{"a": [1], "b": {"c": null}}`,
		"no items":          `{"a": [], "b": {"c": null}}`,
		"another value":     `{"a": [1, {"x": "<é>", "y": 1.5}], "b": {"c": null}}`,
		"a member more":     `{"a": [1, {"x": "<é>", "y": 1.50}], "b": {"c": null}, "d": 0}`,
		"a member less":     `{"a": [1, {"x": "<é>", "y": 1.50}]}`,
		"items in order":    `{"a": [{"x": "<é>", "y": 1.50}, 1], "b": {"c": null}}`,
		"a list in a value": `{"a": [[1, {"x": "<é>", "y": 1.50}]], "b": {"c": null}}`,
	} {
		if of(text) == want {
			t.Errorf("%s: the same checksum", name)
		}
	}
	if _, err := Of([]byte("[]")); err == nil {
		t.Error("a list has a checksum")
	}
}
