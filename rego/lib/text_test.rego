package salint.lib.text_test

import data.salint.lib

test_templated if {
	every text in ["${NAME}", "a-${NAME}", "$(NAME)", "{{ .name }}"] { lib.templated(text) }
	every text in ["", "name", "$NAME", "{name}"] { not lib.templated(text) }
}

test_called if {
	lib.called({"kind": "ClusterRole", "metadata": {"name": "a"}}) == "ClusterRole a"
	lib.called({"kind": "Role", "metadata": {"name": "a", "namespace": "b"}}) == "Role b/a"
	lib.called({"kind": "Role", "metadata": {"name": 5, "namespace": ["b"]}}) == "this Role"
	lib.called({"kind": "Role"}) == "this Role"
}

test_sentence if {
	lib.sentence("the model says no") == "The model says no"
	lib.sentence("this Role") == "This Role"
	lib.sentence("olm-1.11 says no") == "olm-1.11 says no"
	lib.sentence("ClusterRole a") == "ClusterRole a"
}

test_listed if {
	lib.listed(["a"]) == "a"
	lib.listed(["a", "b"]) == "a and b"
	lib.listed(["a", "b", "c", "d", "e"]) == "a, b, c, d, and e"
	lib.listed(["a", "b", "c", "d", "e", "f", "g"]) == "a, b, c, d, e, and 2 more"
}

test_files_and_folders if {
	lib.file("a/b#c.yaml#0/items[1]") == "a/b#c.yaml"
	lib.folder("a/b/c.yaml") == "a/b"
	lib.folder("c.yaml") == "."
}

test_below if {
	lib.below("a/b.yaml", ".")
	lib.below("a/b/c.yaml", "a")
	lib.below("a/b", "a/b")
	not lib.below("ab/c.yaml", "a")
	not lib.below("a", "a/b")
}
