# Which Secrets that are named do not exist. A Secret that is not in the repository usually exists anyway: credentials are created by
# hand or by other tools. So a name is wrong only if the repository shows which Secret was meant.
package salint.helpers.secrets

import data.salint.helpers
import data.salint.helpers.accounts

# wrong returns why a Secret does not exist: the source of the Secret that was meant, and the end of a message. The use of the Secret
# has its name, all names of its list, and whether it pulls images; ref is the object that names it.
wrong(use, namespace, ref) := causes[0] if {
	may_be_judged(use.name, namespace)
	secret := {"namespace": namespace, "name": use.name}
	likely := salint.secrets_like(secret)
	count(likely) > 0
	causes := array.concat(
		[cause | some source in likely; cause := misspelled(source, use, namespace, ref)],
		[cause | some source in likely; cause := elsewhere(source, use, namespace, ref)],
	)
	count(causes) > 0
	not salint.may_have_secret(secret)
	count(salint.bringers(namespace)) == 0
}

may_be_judged(name, namespace) if {
	is_string(name)
	name != ""
	not helpers.placeholder(name)
	not helpers.open_namespace(namespace)
	not helpers.placeholder(namespace)
	not accounts.of_platform(namespace)
	accounts.whole
}

misspelled(source, use, namespace, ref) := {
	"source": source, "case": "misspelled",
	"why": sprintf("nothing in the repository creates in namespace %s; Secret %s is created there", [namespace, source.name]),
} if {
	source.name != use.name
	not source.name in use.names # where both are listed, they are two Secrets
	source.namespace == namespace
	fits(source, use, ref)
}

elsewhere(source, use, namespace, ref) := {
	"source": source, "case": "another namespace",
	"why": sprintf("is created in namespace %s, and not in namespace %s", [source.namespace, namespace]),
} if {
	source.name == use.name
	source.namespace != namespace
	not helpers.open_namespace(source.namespace)
	not source.copied
	fits(source, use, ref)
}

fits(source, use, ref) if {
	of_type(source, use)
	applied_together(source.ref, ref)
}

of_type(_, use) if not use.pulls

of_type(source, use) if {
	use.pulls
	source.type in ["kubernetes.io/dockerconfigjson", "kubernetes.io/dockercfg"]
}

# Plain files can belong to several clusters, unless one lies in the folder of the other.
applied_together(_, _) if input.unit.kind != "plain"

applied_together(a, b) if {
	input.unit.kind == "plain"
	helpers.nested(a, b)
}
