package crd

import (
	"math/rand/v2"
)

// generate makes up a GrafanaServiceAccount. Most values are good, so that objects of both sorts come out.
func generate(r *rand.Rand) map[string]any {
	object := map[string]any{
		"apiVersion": "grafana.integreatly.org/v1beta1",
		"kind":       "GrafanaServiceAccount",
		"metadata":   map[string]any{"name": "reader", "namespace": "monitoring"},
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
	set("instanceName", 96, mostly(r, text(r)))
	set("role", 96, mostly(r, pick(r, "Viewer", "Viewer", "Editor", "Admin", "admin", "None", "", "Viewer ")))
	set("name", 40, mostly(r, text(r)))
	set("isDisabled", 20, mostly(r, r.IntN(2) == 0))
	set("suspend", 20, mostly(r, r.IntN(2) == 0))
	set("resyncPeriod", 40, mostly(r, duration(r)))
	set("tokens", 80, mostly(r, tokens(r)))
	set(pick(r, "permissions", "Role", "resyncperiod", "instanceSelector", "expires"), 4, anything(r))
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
			token["name"] = mostly(r, pick(r, "a", "b", "c", "d", "e", "f", "g", "h", "1", "true", ""))
		}
		if r.IntN(2) == 0 {
			token["expires"] = mostly(r, date(r))
		}
		if r.IntN(2) == 0 {
			token["secretName"] = mostly(r, text(r))
		}
		if one(r, 40) {
			token[pick(r, "permission", "Name", "secretname", "ttl")] = anything(r)
		}
		list = append(list, token)
	}
	return list
}

// mostly keeps a value, or puts anything in its place.
func mostly(r *rand.Rand, value any) any {
	if one(r, 25) {
		return anything(r)
	}
	return value
}

func anything(r *rand.Rand) any {
	all := []any{
		nil, "", "x", "true", "2026-12-31T00:00:00Z", "10m", true, false, int64(0), int64(7), 1.5, 1e30,
		[]any{}, []any{"a"}, []any{nil}, map[string]any{}, map[string]any{"name": "a"},
	}
	return all[r.IntN(len(all))]
}

func text(r *rand.Rand) string {
	return pick(r, "grafana", "a", "b", "ä", "with space", "1", "null", " ", "$", "yes", "very-long-name-that-goes-on-and-on", "")
}

// duration is put together of parts, good and bad.
func duration(r *rand.Rand) string {
	parts := pick(r, "", "", "", "", "-", "+", " ")
	for range 1 + r.IntN(2) {
		parts += pick(r, "10", "1.5", "0", "0.0", "1", "9999999", "0.0000000001", ".5", "1.", "99999999999999999999", "007", "") +
			pick(r, "m", "h", "s", "ms", "us", "µs", "ns", "μs", "d", "", "M")
	}
	return parts
}

// date is put together of parts, good and bad.
func date(r *rand.Rand) string {
	often := func(good string, others ...string) string {
		if !one(r, 6) {
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
