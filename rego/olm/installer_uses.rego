# The places of the repository that reference input.resource, a ServiceAccount, except in the objects that belong to it.
package salint.helpers.olm.installer_uses

import data.salint.helpers
import data.salint.helpers.olm.installer_traits as account

# others lists the places that reference the account, or can reference it, except in the objects that belong to it.
others := [reference |
	some reference in salint.mentions({"namespace": account.subject.namespace, "name": account.subject.name})
	not belongs(reference)
]

# in_text lists the references in files other than manifests and in fields that programs may read, in_name those of which the use is
# none, such as labels and admission policies, and in_template those that contain a template.
in_text := [reference | some reference in others; not reference.template; is_text(reference)]

in_fields := [reference | some reference in in_text; is_manifest(reference)]

in_name := [reference | some reference in others; not reference.template; use_of(reference) == "name"]

in_template := [reference | some reference in others; reference.template]

is_text(reference) if {
	reference.ref == ""
	reference.what == ""
	reference.file != helpers.file(account.own_ref)
	not is_manifest(reference)
}

is_text(reference) if {
	is_manifest(reference)
	use_of(reference) in {"unknown", ""}
}

# A string in a ConfigMap can be a manifest that a program applies.
is_text(reference) if regex.match(`^(ConfigMap|Secret) (data|stringData)\b`, reference.what)

is_manifest(reference) if regex.match(`\.(ya?ml|json)$`, reference.file)

use_of(reference) := "renamed" if {
	reference.use == "renamed"
} else := "units" if {
	count(object.get(reference, "units", [])) > 0
} else := reference.use

# in_other_units lists the fields that the deployment unit of the account removes, and other units apply.
in_other_units := [reference | some reference in others; use_of(reference) == "units"]

# renamed lists those that other units apply with the account under another name: they use another account of its manifest.
renamed := [reference | some reference in others; use_of(reference) == "renamed"]

other_units := sort({unit | some reference in array.concat(in_other_units, renamed); some unit in reference.units})

used if {
	some reference in others
	not reference in in_other_units
	not reference.template
	not is_text(reference)
	not use_of(reference) in {"name", "renamed"}
}

# own_refs are the account, its bindings, and their roles. They are a separate rule, because belongs would compute them for each
# reference.
own_refs := {account.own_ref} | {ref |
	some binding in account.bindings
	some ref in {binding.ref, binding.role_ref}
	ref != ""
}

belongs(reference) if reference.ref in own_refs

# Other objects can have the name of the account. A reference to one is not a use of the other.
belongs(reference) if regex.match(`^[^ ]* (metadata|roleRef)\.name$`, reference.what)

# A binding of another unit, or in a template, can only grant it more.
belongs(reference) if regex.match(`^[^ ]* subjects(\[\d+\])?\.name$`, reference.what)

# A kustomization lists the files of the account and its bindings.
belongs(reference) if regex.match(`^(Kustomization|Component) (resources|bases)\[`, reference.what)
