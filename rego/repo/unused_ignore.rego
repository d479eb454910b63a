# METADATA
# title: An ignore comment or a setting has no effect
# description: |
#   The comment silences nothing: the finding no longer exists, the rule that it names does not exist, its date (`until=`) has
#   passed and the finding is reported again, or it is misspelled, as in `# salint: ignore`. Remove or correct the comment. A
#   comment without a reason still works, but salint requests a reason.
#
#   A setting without effect is a path pattern of `.salint.yaml` that matches nothing, an entry of the baseline that matches no
#   finding, or a configuration that is not read because its name is not `.salint.yaml`.
# custom:
#   severity: note
#   scope: program
#   fix: none
package salint.rules.repo.unused_ignore
