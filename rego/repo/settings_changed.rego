# METADATA
# title: The settings of salint changed
# description: |
#   With `--changed-since REV`: the configuration, policies, baseline, or ignore files (`.gitignore`, `.helmignore`) differ from the
#   revision, so that the change itself decides which files and rules count. No setting, ignore, or baseline silences this finding.
#   It is a warning if `clusters:` puts deployment units on different clusters that could be on one before: what one of them grants no longer counts in the other.
#   The same rule reports each ignore comment and each `salint/ignore` annotation in a line that the revision does not have.
#   Review the files that it names. `--config-from REV` takes the configuration and policies from the revision, but not the
#   baseline, ignore files, and ignore comments.
# custom:
#   severity: note
#   scope: program
#   fix: none
package salint.rules.repo.settings_changed
