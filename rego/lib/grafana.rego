# Service accounts of Grafana and the Grafanas that they are for, by the operator of grafana.integreatly.org.
package salint.lib.grafana

import data.salint.lib

group := "grafana.integreatly.org"

account_query := {"group": group, "kind": "GrafanaServiceAccount"}

instance_query := {"group": group, "kind": "Grafana"}

# day is one in seconds.
day := 86400

# now is the time of the run in seconds.
now := salint.seconds(input.now)

# text is a value that is a text, written down and not filled in later; undefined for others.
text(value) := value if {
	is_string(value)
	value != ""
	not lib.templated(value)
}

# tokens are those of an account that are mappings, each with its index.
tokens(account) := [{"index": i, "token": token} |
	some i, token in account.spec.tokens
	is_object(token)
]

# expiring are the tokens with a date that can be read, each with the seconds that it has left.
expiring(account) := [{"index": entry.index, "token": entry.token, "left": left} |
	some entry in tokens(account)
	left := salint.seconds(entry.token.expires) - now
]

# token_called is how messages call a token.
token_called(entry) := sprintf("token %s", [entry.token.name]) if {
	is_string(entry.token.name)
} else := sprintf("token %d", [entry.index + 1])

# in_days says a time in whole days.
in_days(seconds) := "less than a day" if {
	seconds < day
} else := "a day" if {
	seconds < 2 * day
} else := sprintf("%d days", [floor(seconds / day)])

# disabled tells that Grafana lets nobody in with the tokens of an account.
disabled(account) if account.spec.isDisabled == true

# account_name is what an account is called in Grafana; undefined where that is not known.
account_name(account) := text(account.spec.name)

account_name(account) := text(lib.name(account)) if object.get(account.spec, "name", null) == null

# suspended tells that the operator does nothing for an account.
suspended(account) if account.spec.suspend == true

# may_be_namespace tells that two namespaces may be the same one: one of them is left open, or filled in later.
may_be_namespace(a, b) if a == b

may_be_namespace(a, b) if {
	a != b
	some namespace in [a, b]
	open_namespace(namespace)
}

open_namespace(namespace) if lib.open_namespace(namespace)

open_namespace(namespace) if lib.templated(namespace)

# same_object tells that two manifests are two states of one object, such as those of two clusters.
same_object(a, b) if {
	lib.name(a) == lib.name(b)
	may_be_namespace(lib.namespace(a), lib.namespace(b))
}

# beside tells that two objects of the unit end in one namespace of one cluster, as far as files can tell. Plain files may
# be those of several clusters: two of them count as one only where a folder holds both.
beside(a, b) if {
	lib.namespace(a.resource) == lib.namespace(b.resource)
	input.unit.kind != "plain"
}

beside(a, b) if {
	lib.namespace(a.resource) == lib.namespace(b.resource)
	input.unit.kind == "plain"
	nested(a.ref, b.ref)
}

# applied_together tells the same of two accounts, for which plain files say it also by lying nearest to the same Grafana.
applied_together(a, b) if beside(a, b)

applied_together(a, b) if {
	lib.namespace(a.resource) == lib.namespace(b.resource)
	not nested(a.ref, b.ref)
	instance := text(a.resource.spec.instanceName)
	b.resource.spec.instanceName == instance
	nearest_instances(a.ref, instance) == nearest_instances(b.ref, instance)
}

nested(a, b) if lib.below(lib.folder(lib.file(a)), lib.folder(lib.file(b)))

nested(a, b) if lib.below(lib.folder(lib.file(b)), lib.folder(lib.file(a)))

# rival tells that two different accounts are applied together.
rival(a, b) if {
	a.ref != b.ref
	not same_object(a.resource, b.resource)
	applied_together(a, b)
}

# first are the first members of a set: comparing each of thousands with each would take for ever, and those stand for all.
first(group) := array.slice(sort(group), 0, 20)

# instances are the refs of the Grafanas by name, and accounts those of the accounts by the Grafana that they name.
instances[lib.name(entry.resource)] contains entry.ref if some entry in salint.find(instance_query)

accounts[text(entry.resource.spec.instanceName)] contains entry.ref if some entry in salint.find(account_query)

near_instances[name] := salint.nearest(refs, object.get(instances, [name], set())) if some name, refs in accounts

# nearest_instances are those Grafanas of a name that share the deepest folder with an account. object.get has the index
# worked out once, where a reference would have it searched for each key.
nearest_instances(ref, name) := refs if {
	refs := object.get(near_instances, [name, ref], set())
	count(refs) > 0
}
