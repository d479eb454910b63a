# METADATA
# title: The settings of salint changed
# description: |
#   With `--changed-since REV`: the configuration, policies, baseline, or ignore files (`.gitignore`, `.helmignore`) differ from the
#   revision, so that the change itself decides which files and rules count. No setting, ignore, or baseline silences this finding.
#   Review the files that it names, or take the configuration and policies from the revision with `--config-from REV`.
# custom:
#   severity: note
#   scope: program
#   fix: none
package salint.rules.repo.settings_changed
