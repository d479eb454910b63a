package salint.helpers.text_test

import data.salint.helpers

test_templated if {
	every text in ["${NAME}", "a-${NAME}", "$(NAME)", "{{ .name }}"] { helpers.templated(text) }
	every text in ["", "name", "$NAME", "{name}"] { not helpers.templated(text) }
}

test_called if {
	helpers.called({"kind": "ClusterRole", "metadata": {"name": "a"}}) == "ClusterRole a"
	helpers.called({"kind": "Role", "metadata": {"name": "a", "namespace": "b"}}) == "Role b/a"
	helpers.called({"kind": "Role", "metadata": {"name": 5, "namespace": ["b"]}}) == "this Role"
	helpers.called({"kind": "Role"}) == "this Role"
}

test_sentence if {
	helpers.sentence("the model says no") == "The model says no"
	helpers.sentence("this Role") == "This Role"
	helpers.sentence("olm-1.11 says no") == "olm-1.11 says no"
	helpers.sentence("ClusterRole a") == "ClusterRole a"
}

test_listed if {
	helpers.listed(["a"]) == "a"
	helpers.listed(["a", "b"]) == "a and b"
	helpers.listed(["a", "b", "c", "d", "e"]) == "a, b, c, d, and e"
	helpers.listed(["a", "b", "c", "d", "e", "f", "g"]) == "a, b, c, d, e, and 2 more"
}

test_files_and_folders if {
	helpers.file("a/b#c.yaml#0/items[1]") == "a/b#c.yaml"
	helpers.folder("a/b/c.yaml") == "a/b"
	helpers.folder("c.yaml") == "."
}

test_below if {
	helpers.below("a/b.yaml", ".")
	helpers.below("a/b/c.yaml", "a")
	helpers.below("a/b", "a/b")
	not helpers.below("ab/c.yaml", "a")
	not helpers.below("a", "a/b")
}
