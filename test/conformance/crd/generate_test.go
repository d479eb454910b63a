package crd

import (
	"math/rand/v2"
	"regexp"
	"strings"
)

// generate returns a random GrafanaServiceAccount. Most values are valid, so that both valid and invalid objects result.
func generate(r *rand.Rand) map[string]any {
	object := map[string]any{
		"apiVersion": "grafana.integreatly.org/v1beta1",
		"kind":       "GrafanaServiceAccount",
		"metadata":   map[string]any{"name": objectName(r), "namespace": "monitoring"},
	}
	switch {
	case one(r, 40):
		if r.IntN(2) == 0 {
			object["spec"] = anything(r)
		}
	default:
		object["spec"] = spec(r)
	}
	if one(r, 30) {
		object[pick(r, "data", "Spec", "status", "permissions")] = map[string]any{"x": anything(r)}
	}
	return object
}

func spec(r *rand.Rand) map[string]any {
	fields := map[string]any{}
	set := func(key string, present int, value any) {
		if r.IntN(100) < present {
			fields[key] = value
		}
	}
	set("instanceName", 96, mostly(r, pick(r, "grafana", objectName(r), text(r))))
	set("role", 96, mostly(r, pick(r, "Viewer", "Viewer", "Editor", "Admin", "admin", "None", "", "Viewer ")))
	set("name", 40, mostly(r, text(r)))
	set("isDisabled", 20, mostly(r, r.IntN(2) == 0))
	set("suspend", 20, mostly(r, r.IntN(2) == 0))
	set("resyncPeriod", 40, mostly(r, duration(r)))
	set("tokens", 80, mostly(r, tokens(r)))
	set(pick(r, "permissions", "", "metadata", "apiVersion", "kind", "Role", "resyncperiod", "instanceSelector", "expires"), 4, anything(r))
	return fields
}

func tokens(r *rand.Rand) []any {
	list := []any{}
	for range r.IntN(4) {
		if one(r, 40) {
			list = append(list, anything(r))
			continue
		}
		token := map[string]any{}
		if !one(r, 30) {
			token["name"] = mostly(r, pick(r, "a", "b", "c", "d", "e", "f", "g", "h", "1", "true", "", "Sync", "a b", "a_", "a-", "a.", "ä"))
		}
		if r.IntN(2) == 0 {
			token["expires"] = mostly(r, perhapsPlain(r, date(r)))
		}
		if r.IntN(2) == 0 {
			token["secretName"] = mostly(r, text(r))
		}
		if one(r, 40) {
			token[pick(r, "permission", "", "metadata", "apiVersion", "kind", "Name", "secretname", "ttl")] = anything(r)
		}
		list = append(list, token)
	}
	return list
}

// mostly returns a value, or anything instead of it.
func mostly(r *rand.Rand, value any) any {
	switch {
	case one(r, 40):
		return anything(r)
	case one(r, 40):
		return plain(scalars[r.IntN(len(scalars))])
	}
	return value
}

// scalars are words with different meanings in YAML 1.1, which kubectl reads, and YAML 1.2, or with another meaning than
// they seem to have.
var scalars = []string{
	"~", "null", "Null", "NULL", "yes", "Yes", "no", "on", "OFF", "y", "n", "Y", "true", "True", "TRUE", "tRUE", "false",
	"0", "00", "007", "010", "0o10", "0x1F", "0b11", "1_000", "1e3", "1E3", "1.", ".5", "1.5", "+1", "-1", "12e03", "1:30", "190:20:30",
	"10m", "10m0s", "1h", "Viewer", "grafana", "2026-12-31", "2026-12-31T14:00:00Z", "2026-12-31 14:00:00", "2026-12-31T14:00:00+02:00",
	"2026-12-31t14:00:00z", "2026-12-31T14:00:00.5Z", "2026-12-31T23:59:60Z", "2026-12-31 14:00:00Z", "20261231T140000Z", "2026-12",
	"2026-1-1T1:0:0Z", "!!str 5", "!!str true", "!!str 2026-12-31", "!!int \"5\"", "!!bool \"true\"", "!!null \"\"", "'5'", "\"\"", "''",
	"\"gra\\u0066ana\"", "!!float 1",
}

// plain marks a scalar that must be written in YAML without quotes.
func plain(scalar string) string { return rawStart + scalar + rawEnd }

// The marks of such scalars. A marked scalar needs no quotes, so it gets none before the marks are removed.
const (
	rawStart = "RAW("
	rawEnd   = ")WAR"
)

var rawMarks = regexp.MustCompile(regexp.QuoteMeta(rawStart) + "(.*?)" + regexp.QuoteMeta(rawEnd))

// perhapsPlain returns a text that may be written without quotes, as is usual for dates.
func perhapsPlain(r *rand.Rand, text string) string {
	if text == "" || strings.ContainsAny(text, " ,") || r.IntN(2) == 0 {
		return text
	}
	return plain(text)
}

func anything(r *rand.Rand) any {
	all := []any{
		nil, "", "x", "true", "2026-12-31T00:00:00Z", "10m", true, false, int64(0), int64(7), 1.5, 1e30,
		[]any{}, []any{"a"}, []any{nil}, map[string]any{}, map[string]any{"name": "a"},
	}
	return all[r.IntN(len(all))]
}

// objectName returns a name for an object, sometimes too long for a label.
func objectName(r *rand.Rand) string {
	if one(r, 20) {
		return strings.Repeat(pick(r, "long-", "dotted."), 1+r.IntN(40)) + "name"
	}
	return pick(r, "reader", "a.b", "x")
}

func text(r *rand.Rand) string {
	if r.IntN(2) == 0 {
		return "grafana"
	}
	return pick(r, "grafana", "grafana", "grafana-token", "a.b", "A", "under_score", "-", strings.Repeat("x", 60+r.IntN(5)), strings.Repeat("x", 250+r.IntN(6)), "a", "b", "ä", "with space", "1", "null", " ", "$", "yes", "very-long-name-that-goes-on-and-on", "")
}

// duration combines valid and invalid parts.
func duration(r *rand.Rand) string {
	parts := pick(r, "", "", "", "", "-", "+", " ")
	for range 1 + r.IntN(2) {
		parts += pick(r, "10", "1.5", "0", "0.0", "1", "9999999", "0.0000000001", ".5", "1.", "99999999999999999999", "007", "") +
			pick(r, "m", "h", "s", "ms", "us", "µs", "ns", "μs", "d", "", "M")
	}
	return parts
}

// date combines valid and invalid parts.
func date(r *rand.Rand) string {
	often := func(good string, others ...string) string {
		if !one(r, 9) {
			return good
		}
		return others[r.IntN(len(others))]
	}
	return often("2026", "0000", "9999", "10000", "26", "-2026") + "-" + often("12", "13", "00", "2", "02") + "-" +
		often("29", "31", "32", "00", "1", "30") + often("T", "t", " ", "", "TT") +
		often("14", "24", "4", "23", "00") + ":" + often("00", "60", "5", "59") + ":" + often("00", "60", "61", "5", "59") +
		often("", ".5", ".123456789", ".", ",5", "x5", ".1234567890123") +
		often("Z", "z", "", "+02:00", "-23:59", "+24:00", "+25:00", "+99:99", "+0200", "+2:00", "ZT", "Zt01:00:00Z")
}

func one(r *rand.Rand, in int) bool { return r.IntN(in) == 0 }

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }
