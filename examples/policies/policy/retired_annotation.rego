# METADATA
# title: Annotation of a retired tool
# description: No tool reads the annotation, and it looks as if one did.
# related_resources:
#   - ref: https://bakery.example/handbook/accounts#retired-annotation
# custom:
#   severity: note
#   kinds: [ServiceAccount]
#   words: [bakery.example/legacy-sync]
#   fix:
#     name: remove-annotation
#     kind: safe
#     description: removes the annotation
#     args: {key: bakery.example/legacy-sync}
package salint.rules.bakery.retired_annotation

import data.salint.lib

annotation := "bakery.example/legacy-sync"

report contains finding if {
	_ = input.resource.metadata.annotations[annotation]
	message := sprintf("Nothing reads the annotation %s. Remove it.", [annotation])
	finding := lib.finding(["metadata", "annotations", annotation], message)
}
