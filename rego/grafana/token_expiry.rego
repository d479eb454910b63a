# What messages state about the dates of Grafana tokens.
package salint.helpers.grafana.token_expiry

import data.salint.helpers
import data.salint.helpers.grafana

# called is how a message that begins with a token of input.resource names it.
called(entry) := sprintf("The %s of %s", [grafana.token_called(entry), helpers.called(input.resource)])

# renewed is the effect of a new date.
renewed := "the operator then replaces the token and updates its Secret"
