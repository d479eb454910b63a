# How messages name accounts and roles that are referenced, and that no manifest of the repository defines.
package salint.helpers.rbac.missing

import data.salint.helpers
import data.salint.helpers.accounts

# object_called names a missing object. The hint is "", or a remark in parentheses on what exists instead.
object_called(called, hint) := sprintf("%s, which is not defined in the repository%s", [called, hint])

# account names a missing account, and the other accounts that the deployment unit creates in its namespace.
account(name, namespace) := object_called(accounts.titled(name, namespace), siblings(namespace))

siblings(namespace) := sprintf(" (its deployment unit has %s)", [accounts.listed_siblings(namespace)]) if {
	helpers.open_namespace(namespace)
	count(accounts.siblings(namespace)) > 0
} else := sprintf(" (its namespace has %s)", [accounts.listed_siblings(namespace)]) if {
	count(accounts.siblings(namespace)) > 0
} else := ""
