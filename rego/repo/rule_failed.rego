# METADATA
# title: A rule failed
# description: |
#   A rule could not be evaluated on an object, so what it would report there is unknown. All other rules, objects, and fixes are
#   not affected: no fix relies on the result of another rule. The cause is in the message:
#
#   * a rule of salint, or a function that it calls, has a mistake: please report it. `salint lint --verbose` also prints the stack.
#     Until it is corrected, `--disable` with the name of that rule accepts that it checks nothing.
#   * a rule that you wrote has a mistake, such as two values for one name (`complete rules must not produce multiple outputs`), or a finding
#     of the wrong shape.
#   * a rule exceeded its time or memory ([limits](policies.md#limits)). It is not evaluated on further objects, and reported once.
#
#   The report is not complete: JSON has `summary.incomplete`, and the last line states that some checks did not run. Ignore comments,
#   the baseline, `--disable`, and severities in `.salint.yaml` do not apply to this finding, because they would accept findings that
#   are unknown: disable the rule that fails instead. Only `--fail-on never` makes the exit code 0. The finding is reported whatever files are
#   selected.
# custom:
#   severity: error
#   scope: program
#   fix: none
package salint.rules.repo.rule_failed
