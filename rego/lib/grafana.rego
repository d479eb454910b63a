# Service accounts of Grafana and their instances, as the operator of grafana.integreatly.org manages them.
package salint.helpers.grafana

import data.salint.helpers

group := "grafana.integreatly.org"

account_query := {"group": group, "kind": "GrafanaServiceAccount"}

instance_query := {"group": group, "kind": "Grafana"}

# day is the number of seconds in a day.
day := 86400

# now is the time of the run in seconds.
now := salint.seconds(input.now)

# text returns a value if it is a string that is not empty and has no template; undefined otherwise.
text(value) := value if {
	is_string(value)
	value != ""
	not helpers.templated(value)
}

# tokens lists the tokens of an account that are mappings, each with its index.
tokens(account) := [{"index": i, "token": token} |
	some i, token in account.spec.tokens
	is_object(token)
]

# expiring lists the tokens with a valid expiry date, each with the seconds until then.
expiring(account) := [{"index": entry.index, "token": entry.token, "left": left} |
	some entry in tokens(account)
	left := salint.seconds(entry.token.expires) - now
]

# token_called returns the name of a token in messages.
token_called(entry) := sprintf("token %s", [entry.token.name]) if {
	is_string(entry.token.name)
} else := sprintf("token %d", [entry.index + 1])

# in_days returns a duration in whole days.
in_days(seconds) := "less than a day" if {
	seconds < day
} else := "a day" if {
	seconds < 2 * day
} else := sprintf("%d days", [floor(seconds / day)])

# disabled is true if Grafana rejects the tokens of an account.
disabled(account) if account.spec.isDisabled == true

# account_name returns the name of an account in Grafana; undefined if it is unknown.
account_name(account) := text(account.spec.name)

account_name(account) := text(helpers.name(account)) if object.get(account.spec, "name", null) == null

# suspended is true if the operator ignores an account.
suspended(account) if account.spec.suspend == true

# may_be_namespace is true if two namespaces can be the same one: they are equal, or one of them is open or templated.
may_be_namespace(a, b) if a == b

may_be_namespace(a, b) if {
	a != b
	some namespace in [a, b]
	open_namespace(namespace)
}

open_namespace(namespace) if helpers.open_namespace(namespace)

open_namespace(namespace) if helpers.templated(namespace)

# same_object is true if two manifests are two states of one object, such as in the folders of two clusters.
same_object(a, b) if {
	helpers.name(a) == helpers.name(b)
	may_be_namespace(helpers.namespace(a), helpers.namespace(b))
}

# beside is true if two objects of the deployment unit are applied to one namespace of one cluster, as far as the files
# show. Plain files can belong to several clusters: two of them count as one cluster's only if the folder of one
# contains the other.
beside(a, b) if {
	helpers.namespace(a.resource) == helpers.namespace(b.resource)
	input.unit.kind != "plain"
}

beside(a, b) if {
	helpers.namespace(a.resource) == helpers.namespace(b.resource)
	input.unit.kind == "plain"
	helpers.nested(a.ref, b.ref)
}

# applied_together is the same for two accounts. Plain files also count as one cluster's if the same Grafana is nearest
# to both.
applied_together(a, b) if beside(a, b)

applied_together(a, b) if {
	helpers.namespace(a.resource) == helpers.namespace(b.resource)
	not helpers.nested(a.ref, b.ref)
	instance := text(a.resource.spec.instanceName)
	b.resource.spec.instanceName == instance
	nearest_instances(a.ref, instance) == nearest_instances(b.ref, instance)
}

# rival is true if two different accounts are applied to one cluster.
rival(a, b) if {
	a.ref != b.ref
	not same_object(a.resource, b.resource)
	applied_together(a, b)
}

# first returns the first members of a set. Comparing each of thousands with each takes too long, and these represent
# the others.
first(group) := array.slice(sort(group), 0, 20)

# instances holds the refs of the Grafanas by name, and accounts the refs of the accounts by the Grafana that they name.
instances[helpers.name(entry.resource)] contains entry.ref if some entry in salint.find(instance_query)

accounts[text(entry.resource.spec.instanceName)] contains entry.ref if some entry in salint.find(account_query)

near_instances[name] := salint.nearest(refs, object.get(instances, [name], set())) if some name, refs in accounts

# nearest_instances returns the Grafanas of a name that share the deepest folder with an account. With object.get, the
# index is built once; a reference would search it for each key.
nearest_instances(ref, name) := refs if {
	refs := object.get(near_instances, [name, ref], set())
	count(refs) > 0
}
