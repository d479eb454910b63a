package salint.lib.sync_test

import data.salint.lib.sync

test_folder if {
	every path in ["apps/a", "./apps/a", "/apps/a/", "apps//a", "apps/./a"] { sync.folder(path) == "apps/a" }
	every path in ["", ".", "./", "/"] { sync.folder(path) == "." }
	sync.folder(".github/x") == ".github/x"
	not sync.folder("${PATH}")
}

test_applies if {
	apps := {"by": "Flux", "path": "apps", "whole": false}
	sync.applies(apps, "apps/a/b.yaml")
	not sync.applies(apps, "application/b.yaml")
	root := {"by": "Argo CD", "path": ".", "whole": false}
	sync.applies(root, "a.yaml")
	not sync.applies(root, "apps/a.yaml")
	sync.applies({"by": "Argo CD", "path": ".", "whole": true}, "apps/a.yaml")
}

test_builds if {
	sync.builds({"by": "Argo CD", "path": "apps"}, "apps")
	not sync.builds({"by": "Argo CD", "path": "apps"}, "apps/a")
	sync.builds({"by": "Flux", "path": "apps"}, "apps/a")
	not sync.builds({"by": "Flux", "path": "."}, "apps/a")
}

test_sources if {
	sync.argo({"path": "apps"}) == {"by": "Argo CD", "path": "apps", "whole": false}
	sync.argo({"path": "apps", "directory": {"recurse": true}}).whole
	not sync.argo({"chart": "harbor"})
	sync.flux({"spec": {}}) == {"by": "Flux", "path": ".", "whole": false}
	sync.flux({"spec": {"path": "./", "sourceRef": {"name": "flux-system"}}}).whole
}
