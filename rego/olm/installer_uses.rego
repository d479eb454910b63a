# The places in the repository that name input.resource, a ServiceAccount, besides what belongs to it.
package salint.lib.olm.installer_uses

import data.salint.lib
import data.salint.lib.olm.installer_traits as account

# others are the places that name the account, or may, besides what belongs to it.
others := [mention |
	some mention in salint.mentions({"namespace": account.subject.namespace, "name": account.subject.name})
	not of_its_own(mention)
]

# in_text is where a file names the account that is no manifest, and in_template where the name is filled in later.
in_text := [mention | some mention in others; not mention.template; is_text(mention)]

in_template := [mention | some mention in others; mention.template]

is_text(mention) if {
	mention.ref == ""
	mention.what == ""
	mention.file != lib.file(salint.ref(input.resource))
	not regex.match(`\.(ya?ml|json)$`, mention.file)
}

used if {
	some mention in others
	not mention.template
	not is_text(mention)
}

of_its_own(mention) if mention.ref == salint.ref(input.resource)

of_its_own(mention) if mention.ref in {ref | some binding in account.bindings; some ref in {binding.ref, binding.role_ref}; ref != ""}

# Other objects may be named like the account. Naming one is not using the other.
of_its_own(mention) if regex.match(`^[^ ]* (metadata|roleRef)\.name$`, mention.what)

# A kustomization lists the files that the account and its bindings are in.
of_its_own(mention) if regex.match(`^(Kustomization|Component) (resources|bases)\[`, mention.what)
