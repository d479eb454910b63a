# A small repository for the tests of rules: manifests by file, and the built-in functions over them. The functions are
# simpler than those of salint: they ignore namesakes in other folders, and transforms.
#
# A test replaces the built-in functions that its rule uses:
#
#	report(world) := found if {
#		found := rule.report with input as world
#			with salint.extension as testing.extension
#			with salint.find as testing.find
#	}
#
#	test_something if count(report(testing.judge("ignored", {"a.yaml": [harbor]}, "a.yaml#0/"))) == 1
package salint.testing

import data.salint.helpers

# judge returns the input of a rule: files are lists of manifests, and ref is the manifest to check.
judge(model, files, ref) := {
	"resource": manifest(files, ref),
	"ref": ref,
	"files": files,
	"model": model,
	"target": {
		"name": model, "model": model, "proposed": false, "placeholder": model == "required",
		"asked": true, "known": true, "detected_from": "",
	},
	"unit": {"name": ".", "kind": "plain", "root": ".", "transforms": []},
}

# alone is the same for the only manifest of a repository.
alone(model, resource) := judge(model, {"a.yaml": [resource]}, "a.yaml#0/")

# for_release sets a release as the target, unknown removes the target, transformed adds a name prefix to the deployment
# unit, elsewhere adds files of other deployment units, and with_signs adds signals.
for_release(world, name) := object.union(world, {"target": {"name": name}})

unknown(world) := object.union(world, {"model": "unknown", "target": {
	"name": "auto", "model": "unknown", "placeholder": false,
	"known": false, "asked": false,
}})

transformed(world) := object.union(world, {"unit": {"kind": "kustomization", "transforms": [{"field": "namePrefix"}]}})

elsewhere(world, files) := object.union(world, {"elsewhere": files})

with_signs(world, signs) := object.union(world, {"signs": signs})

kustomized(world) := object.union(world, {"unit": {"kind": "kustomization"}})

at_time(world, now) := object.union(world, {"now": now})

without_placeholder(world) := object.union(world, {"target": {"placeholder": false}})

manifest(files, ref) := resource if {
	some entry in entries(files)
	entry.ref == ref
	resource := entry.resource
}

entries(files) := [{"ref": sprintf("%s#%d/", [file, i]), "resource": resource} |
	some file, documents in files
	some i, resource in documents
]

# The built-in functions.

ref(_) := input.ref

find(query) := [entry |
	some entry in entries(input.files)
	matches(query, entry.resource)
	startswith(entry.ref, object.get(query, "file", ""))
]

placeholders(query) := [entry.ref |
	some entry in find(query)
	helpers.role_placeholder(entry.resource.metadata.name)
]

anywhere(query) := [entry |
	some files in [input.files, object.get(input, "elsewhere", {})]
	some entry in entries(files)
	matches(query, entry.resource)
]

extensions_installed_as(subjects) := [entry |
	some entry in find({"kind": "ClusterExtension"})
	can_be_one(subjects, extension(entry.resource))
]

can_be_one(subjects, installed) if {
	some subject in subjects
	can_be(subject, installed)
}

can_be(subject, installed) if {
	subject.kind == "ServiceAccount"
	subject.name == installed.account.name
}

can_be(subject, installed) if {
	subject.kind == "User"
	subject.name == sprintf("olm:clusterextension:%s", [installed.name])
}

can_be(subject, installed) if {
	subject.kind == "Group"
	subject.name in {"system:serviceaccounts", "system:authenticated", sprintf("system:serviceaccounts:%s", [installed.namespace])}
}

refs_anywhere(query) := {entry.ref | some entry in anywhere(query)}

nearest_of(query) := salint.nearest([input.ref], [entry.ref | some entry in find(query)])[input.ref]

written_bindings := [binding | some kind in ["ClusterRoleBinding", "RoleBinding"]; some binding in anywhere({"kind": kind})]

bindings_naming(name) := [object.union(binding, {"other_form": not_as_here(binding)}) |
	some binding in written_bindings
	some subject in binding.resource.subjects
	subject.name == name
]

default not_as_here(_) := false

not_as_here(binding) if binding.resource != manifest(input.files, binding.ref)

bindings_misspelling(name) := [binding |
	some binding in written_bindings
	some subject in binding.resource.subjects
	salint.mistyped({"kind": subject.kind, "name": subject.name}).name == name
]

templated_bindings := [binding |
	some binding in written_bindings
	some subject in binding.resource.subjects
	contains(subject.name, "${")
]

# A world sets the objects that install others.
bringers(_) := object.get(input, "bringers", [])

# renamed looks at input.renamed: files whose objects have another name as applied, which is in the key "applied".
renamed(query) := [{"ref": entry.ref, "resource": entry.resource.applied} |
	some entry in entries(object.get(input, "renamed", {}))
	matches(query, entry.resource)
]

matches(query, resource) if {
	object.get(query, "kind", resource.kind) == resource.kind
	object.get(query, "group", group_of(resource)) == group_of(resource)
	object.get(query, "name", resource.metadata.name) == resource.metadata.name
	namespace := object.get(resource.metadata, "namespace", "")
	object.get(query, "namespace", namespace) in {namespace, ""}
	object.get(query, "account", account_name(resource)) == account_name(resource)
	installed_in(query, resource)
	has_account_state(query, resource)
	in_rules(query, resource)
	object.get(query, "name_known", known(resource)) == known(resource)
}

matches(query, resource) if {
	object.get(query, "kind", resource.kind) == resource.kind
	query.name == resource.metadata.name
	query.namespace != ""
	object.get(resource.metadata, "namespace", "") == ""
}

installed_in(query, _) if not query.installed_in

installed_in(query, resource) if extension(resource).namespace == query.installed_in

has_account_state(query, _) if not query.account_state

has_account_state(query, resource) if extension(resource).account.state == query.account_state

in_rules(query, _) if not query.in_rules

in_rules(query, resource) if {
	some rule in resource.rules
	query.in_rules in array.concat(rule.apiGroups, rule.resources)
}

known(resource) := "false" if {
	helpers.templated(object.get(resource, ["metadata", "name"], ""))
} else := "true"

group_of(resource) := "" if not contains(resource.apiVersion, "/")

group_of(resource) := split(resource.apiVersion, "/")[0] if contains(resource.apiVersion, "/")

extension(resource) := {
	"kind": resource.kind,
	"name": object.get(resource, ["metadata", "name"], ""),
	"name_templated": contains(object.get(resource, ["metadata", "name"], ""), "${"),
	"namespace": object.get(resource, ["spec", "namespace"], object.get(resource, ["spec", "installNamespace"], "")),
	"layout": object.get(resource, "layout", "v1.0"),
	"releases": object.get(resource, "releases", "v1.0 and later"),
	"mixed": count(object.get(resource, "misplaced", [])) > 0,
	"misplaced": object.get(resource, "misplaced", []),
	"others": [],
	"package": object.get(resource, ["spec", "source", "catalog", "packageName"], ""),
	"package_path": ["spec", "source", "catalog", "packageName"],
	"version": version_of(resource),
	"version_path": ["spec", "source", "catalog", "version"],
	"pinned": regex.match(`^\d+\.\d+\.\d+$`, version_of(resource)),
	"account": {"state": state, "name": account_name(resource), "path": ["spec", "serviceAccount"]},
} if {
	resource.kind == "ClusterExtension"
	state := account_state(resource)
}

version_of(resource) := object.get(resource, ["spec", "source", "catalog", "version"], "")

account_name(resource) := name if {
	name := resource.spec.serviceAccount.name
	is_string(name)
} else := ""

account_state(resource) := "absent" if {
	not "serviceAccount" in object.keys(resource.spec)
} else := "null" if {
	resource.spec.serviceAccount == null
} else := "malformed" if {
	not is_object(resource.spec.serviceAccount)
} else := "empty" if {
	count(resource.spec.serviceAccount) == 0
} else := "empty-name" if {
	resource.spec.serviceAccount.name == ""
} else := "templated" if {
	contains(resource.spec.serviceAccount.name, "${")
} else := "named"

identity(name) := {
	"user": sprintf("olm:clusterextension:%s", [name]),
	"groups": ["olm:clusterextensions", "system:authenticated"],
}

# runtime is Helm; a world can set another.
runtime(_, _) := object.get(input, "runtime", {
	"name": "Helm", "account": input.model in {"required", "synthetic"},
	"placeholder": input.target.placeholder, "finalizers": "clusterextensions", "collections": true,
})

with_runtime(world, runtime_of) := object.union(world, {"runtime": runtime_of})

signs := object.get(input, "signs", [])

own_signs := [signal | some signal in signs; signal.ref == ref(input.resource)]

# A world sets the bundle of every extension, its needs, and its growth: a bundle with the default fields, and lists of
# scopes, each a namespace with descriptions of permissions.

with_bundle(world, needs) := object.union(world, {
	"bundle": object.union(
		{
			"dir": "bundles/harbor", "kind": "registry+v1 bundle",
			"package": "harbor", "name": "harbor.v1.2.0", "version": "1.2.0", "file": "bundles/harbor/manifests/csv.yaml", "line": 1,
			"places": [{"file": "bundles/harbor/manifests/csv.yaml", "line": 1}, {"file": "bundles/harbor", "line": 0}],
		},
		object.get(needs, "bundle", {}),
	),
	"preflight": object.get(needs, "preflight", {}),
})

with_growth(world, growth) := object.union(world, {"growth": growth})

bundle(_) := input.bundle

preflight(resource) := object.union(
	{
		"identity": identity_subject(extension(resource)),
		"missing": [], "unneeded": [], "unknown": [], "partial": [],
	},
	input.preflight,
) if {
	input.model in {"required", "synthetic"}
}

identity_subject(read) := account_subject(read.namespace, read.account.name) if read.account.name != ""

identity_subject(read) := object.union(user(identity(read.name).user), {"namespace": ""}) if read.account.name == ""

bundle_growth(_) := input.growth

scope(namespace, texts) := {"namespace": namespace, "rules": [], "texts": texts}

bindings_of(subject) := [binding |
	some entry in entries(input.files)
	entry.resource.kind in {"ClusterRoleBinding", "RoleBinding"}
	some i, written in entry.resource.subjects
	written.kind == subject.kind
	written.name == subject.name
	object.get(written, "namespace", "") == object.get(subject, "namespace", "")
	role_ref := entry.resource.roleRef
	binding := {
		"ref": entry.ref,
		"kind": entry.resource.kind,
		"name": entry.resource.metadata.name,
		"scope": object.get(entry.resource.metadata, "namespace", ""),
		"role": {"kind": role_ref.kind, "name": role_ref.name, "namespace": ""},
		"role_ref": role_of(role_ref),
		"subject_index": i,
		"via": "",
		"uncertain": false,
		"ties": [],
	}
]

admin_bindings(subject) := [binding |
	some binding in bindings_of(subject)
	binding.kind == "ClusterRoleBinding"
	binding.role.name == "cluster-admin"
]

role_of(role_ref) := found if {
	some entry in entries(input.files)
	entry.resource.kind == role_ref.kind
	entry.resource.metadata.name == role_ref.name
	found := entry.ref
} else := ""

role_rules(role_ref) := manifest(input.files, role_ref).rules

# granted_about lists those of the granted rules that apply to one of the resources.
granted_about(ref, group, resources) := [rule |
	some rule in granted_rules(ref).rules
	some listed_group in rule.apiGroups
	listed_group in {group, "*"}
	some listed in rule.resources
	listed in ({resource | some resource in resources} | {"*"})
]

find_refs(query) := [found.ref | some found in find(query)]

# granted_rules takes a role, or a binding whose role is among the files.
granted_rules(ref) := {"rules": object.get(manifest(input.files, ref), "rules", []), "unknown": [], "partial": []} if {
	not manifest(input.files, ref).roleRef
}

granted_rules(ref) := granted_rules_of_role(role_of(manifest(input.files, ref).roleRef))

granted_rules_of_role(role_ref) := {"rules": role_rules(role_ref), "unknown": [], "partial": []} if role_ref != ""

granted_rules_of_role("") := {"rules": [], "unknown": [], "partial": []}

# bindings_to lists the subjects of the bindings that refer to a role by its kind and name.
bindings_to(ref) := [{"subject": object.union({"namespace": ""}, subject), "binding": {"role": binding.roleRef, "scope": scope, "role_ref": ref}} |
	some entry in entries(input.files)
	binding := entry.resource
	role := manifest(input.files, ref)
	binding.roleRef.kind == role.kind
	binding.roleRef.name == role.metadata.name
	some subject in binding.subjects
	scope := {"ClusterRoleBinding": "", "RoleBinding": object.get(binding.metadata, "namespace", "?")}[binding.kind]
]

# who_can supports the verbs of one resource, without names.
who_can(request) := {"unknown": [], "holders": [{"subject": subject, "binding": binding, "rule": rule} |
	some entry in entries(input.files)
	entry.resource.kind in {"ClusterRoleBinding", "RoleBinding"}
	some rule in granted_rules(entry.ref).rules
	covers([rule], {"apiGroups": [request.group], "resources": [request.resource], "verbs": [request.verb]})
	some written in entry.resource.subjects
	subject := object.union({"namespace": ""}, written)
	some binding in bindings_of(written)
	binding.ref == entry.ref
]}

effective_rules(subject) := {
	"cluster": [rule |
		some binding in bindings_of(subject)
		binding.kind == "ClusterRoleBinding"
		binding.role_ref != ""
		some rule in role_rules(binding.role_ref)
	],
	"namespaces": {},
	"unknown": [binding.role | some binding in bindings_of(subject); binding.role_ref == ""],
	"partial": [],
}

default covers(_, _) := false

covers(rules, wanted) if {
	some rule in rules
	every key in {"apiGroups", "resources", "verbs"} {
		listed(rule[key], wanted[key])
	}
	named_by(object.get(rule, "resourceNames", []), object.get(wanted, "resourceNames", []))
}

listed(list, _) if "*" in list

listed(list, values) if every value in values { value in list }

named_by(names, _) if count(names) == 0

named_by(names, wanted) if {
	count(wanted) > 0
	every name in wanted { name in names }
}

# A world sets the late grants, as {ref, never, together, why, annotation} of manifests, and the dangers of syncs, in
# the form of the built-in functions.

with_late(world, late) := object.union(world, {"late": late})

with_dangers(world, dangers) := object.union(world, {"dangers": dangers})

late_grants(_) := [object.union({"annotation": "", "place": {"ref": "", "path": []}, "resource": manifest(input.files, grant.ref)}, grant) |
	some grant in object.get(input, "late", [])
]

# A world sets the verdicts of admission: {name, operation, resource, state, reasons}, by the name of the subject. Without a
# verdict, the state is open.

with_limits(world, verdicts) := object.union(world, {"limits": verdicts})

limits(subject, attempt) := {"state": verdict.state, "reasons": object.get(verdict, "reasons", [])} if {
	some verdict in object.get(input, "limits", [])
	verdict.name == subject.name
	verdict.operation == attempt.operation
	verdict.resource == attempt.resource
} else := {"state": "open", "reasons": []}

# A world sets the administrators.
with_administrators(world, names) := object.union(world, {"administrators": names})

is_administrator(subject) := subject.name in object.get(input, "administrators", [])

sync_dangers(_) := object.get(input, "dangers", [])

endangered(query) := [object.union(danger, {"objects": find(query)}) | some danger in object.get(input, "dangers", [])]

# Manifests.

cluster_extension(name, spec) := {
	"apiVersion": "olm.operatorframework.io/v1",
	"kind": "ClusterExtension",
	"metadata": {"name": name},
	"spec": object.union({"namespace": "harbor-system"}, spec),
}

installed_as(account) := {"serviceAccount": {"name": account}}

service_account(namespace, name) := {
	"apiVersion": "v1",
	"kind": "ServiceAccount",
	"metadata": {"name": name, "namespace": namespace},
}

grafana(name, namespace, spec) := in_namespace(
	{
		"apiVersion": "grafana.integreatly.org/v1beta1",
		"kind": "Grafana",
		"metadata": {"name": name},
		"spec": spec,
	},
	namespace,
)

grafana_account(name, spec) := {
	"apiVersion": "grafana.integreatly.org/v1beta1",
	"kind": "GrafanaServiceAccount",
	"metadata": {"name": name, "namespace": "monitoring"},
	"spec": spec,
}

in_namespace(resource, namespace) := object.union(resource, {"metadata": {"namespace": namespace}}) if namespace != ""

in_namespace(resource, "") := json.remove(resource, ["/metadata/namespace"])

cluster_role(name, rules) := {
	"apiVersion": "rbac.authorization.k8s.io/v1",
	"kind": "ClusterRole",
	"metadata": {"name": name},
	"rules": rules,
}

everything := [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}]

cluster_role_binding(name, role, subjects) := {
	"apiVersion": "rbac.authorization.k8s.io/v1",
	"kind": "ClusterRoleBinding",
	"metadata": {"name": name},
	"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role},
	"subjects": subjects,
}

account_subject(namespace, name) := {"kind": "ServiceAccount", "namespace": namespace, "name": name}

user(name) := {"kind": "User", "name": name}

group(name) := {"kind": "Group", "name": name}
