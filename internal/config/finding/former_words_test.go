package finding

import "testing"

// reworded are messages about files, each followed by its words in the first releases.
var reworded = [][2]string{
	{
		". cannot be built, so its objects were checked as they are in their files: /out: outside the repository, where salint reads nothing",
		"not built, so the objects of . were checked as they stand in their files: /out: lies outside of the repository: nothing there is read",
	},
	{
		`resources: "../../out" is outside the repository and was not checked`,
		`resources: "../../out" lies outside the repository and was not looked at`,
	},
	{
		`resources: "nofile.yaml" was not read: it is missing, excluded, or ignored`,
		`resources: "nofile.yaml" is not among the files that were read: it is missing, excluded or ignored`,
	},
	{
		"o10 cannot be built, so its objects were checked as they are in their files: kustomize: replace operation does not apply: doc is missing path: /spec/x/y: missing value",
		"not built, so the objects of o10 were checked as they stand in their files: kustomize: replace operation does not apply: doc is missing path: /spec/x/y: missing value",
	},
	{
		`resources: "../o4" leads back to a kustomization that lists it: kustomize refuses such a cycle`,
		`resources: "../o4" leads back to a kustomization that lists it: kustomize refuses such a circle`,
	},
	{
		"not taken for a kustomization: o5/kustomization.yaml:1:1: a kustomization must be a mapping",
		"not taken for a kustomization: o5/kustomization.yaml:1:1: a kustomization is a mapping of fields",
	},
	{
		`not taken for a kustomization: o6/kustomization.yaml:1:7: kind is "Foo", which kustomize does not accept: use Kustomization or Component, or another file name`,
		`not taken for a kustomization: o6/kustomization.yaml:1:7: kind is "Foo", which kustomize does not take for a kustomization: use Kustomization or Component, or another file name`,
	},
	{
		`not taken for a kustomization: o7/kustomization.yaml:1:13: apiVersion is "x/v1", which kustomize does not accept: use kustomize.config.k8s.io/v1beta1, or another file name`,
		`not taken for a kustomization: o7/kustomization.yaml:1:13: apiVersion is "x/v1", which kustomize does not take for a kustomization: use kustomize.config.k8s.io/v1beta1, or another file name`,
	},
	{
		"kustomize reads one kustomization per folder: it reads o8/kustomization.yaml, and this one was not checked",
		"the folder already has the kustomization o8/kustomization.yaml: kustomize takes one per folder, and this one was not looked at",
	},
	{
		"not read: the symlink's target cannot be read",
		"not read: the symlink points at nothing that can be read",
	},
	{
		"not read: the symlink points to .git/HEAD, which is not read as a manifest",
		"not read: the symlink points at .git/HEAD, which is not read as a manifest",
	},
	{
		"this comment has no effect: no rule is named: write `# salint:ignore RULE reason`",
		"this comment silences nothing: it names no rule: write `# salint:ignore RULE reason`",
	},
	{
		"unknown rule \"olm/nothing-like\" in an ignore: see `salint rules`",
		"there is no rule \"olm/nothing-like\" to be ignored: `salint rules` lists them",
	},
	{
		`this ignore of "olm/service-account-deprecated" expired on 2020-01-01: fix the finding, remove the ignore, or set a new date`,
		`this ignore of "olm/service-account-deprecated" ended with 2020-01-01 and silences nothing any more: mend what it hid, remove it, or set a new date`,
	},
	{
		`this comment has no effect: until="never" is not a date: use a date such as until=2027-01-31`,
		`this comment silences nothing: until="never" is not a date: write it as until=2027-01-31`,
	},
	{
		`unknown rule "olm/service-acount-deprecated" in an ignore: did you mean olm/service-account-deprecated?`,
		`there is no rule "olm/service-acount-deprecated" to be ignored: did you mean olm/service-account-deprecated?`,
	},
	{
		`this comment has no effect: unknown directive "foo": use ignore or ignore-file`,
		`this comment silences nothing: salint knows ignore and ignore-file, not "foo"`,
	},
	{
		`this ignore of "rbac/*" has no effect: remove it`,
		`this ignore of "rbac/*" silences nothing: remove it`,
	},
	{
		`"olm/service-account-deprecated" is ignored without a reason: add the reason after the rule`,
		`"olm/service-account-deprecated" is silenced here and nobody says why: put the reason behind the rule`,
	},
	{
		"the chart broken2 does not exist. In `helm`, use the folders of charts, relative to the folder of the configuration",
		"there is no chart broken2: `helm` names the folders of charts, relative to the folder of the configuration",
	},
	{
		"the chart cap was not checked with the values of nope.yaml: the file does not exist (paths are relative to the folder of the configuration)",
		"the chart cap was not checked with the values of nope.yaml: there is no such file (paths are relative to the folder of the configuration)",
	},
	{
		"the chart broken was not checked, because it cannot be rendered: helm: parse error at (broken/templates/e.yaml:9): missing value for if",
		"the chart broken was not checked, for it cannot be rendered: helm: parse error at (broken/templates/e.yaml:9): missing value for if",
	},
	{
		"templates that test for the API version olm.operatorframework.io/v1 were checked only for clusters without it. Pass --helm-api-versions olm.operatorframework.io/v1, or add `helm: {cap: {apiVersions: [olm.operatorframework.io/v1]}}` to .salint.yaml",
		"what depends on the API version olm.operatorframework.io/v1 was checked as on a cluster without it: add --helm-api-versions olm.operatorframework.io/v1, or `helm: {cap: {apiVersions: [olm.operatorframework.io/v1]}}` to .salint.yaml",
	},
	{
		"the chart ci with ci/a-values.yaml was not checked, because it cannot be rendered: helm: ci/ci/a-values.yaml: error converting YAML to JSON: yaml: line 1: did not find expected node content",
		"the chart ci with ci/a-values.yaml was not checked, for it cannot be rendered: helm: ci/ci/a-values.yaml: error converting YAML to JSON: yaml: line 1: did not find expected node content",
	},
	{
		`the chart ci was not checked, because it cannot be rendered: helm: template: ci/templates/e.yaml:4:19: executing "ci/templates/e.yaml" at <.Values.a.b>: nil pointer evaluating interface {}.b`,
		`the chart ci was not checked, for it cannot be rendered: helm: template: ci/templates/e.yaml:4:19: executing "ci/templates/e.yaml" at <.Values.a.b>: nil pointer evaluating interface {}.b`,
	},
	{
		"the chart deps was not checked, because it cannot be rendered: helm: dependencies missing in charts/: zz, yy. Run `helm dependency build` in the chart, and commit the result",
		"the chart deps was not checked, for it cannot be rendered: helm: dependencies that are not in charts/: zz, yy; run `helm dependency build` in the chart and commit what it puts there",
	},
	{
		"the chart fail was not checked, because it cannot be rendered: helm: execution error at (fail/templates/e.yaml:9:3): no",
		"the chart fail was not checked, for it cannot be rendered: helm: execution error at (fail/templates/e.yaml:9:3): no",
	},
	{
		"the chart huge was not checked, because it cannot be rendered: huge: stopped: the result has more than 64 MiB",
		"the chart huge was not checked, for it cannot be rendered: huge: stopped: it gives more than 64 MiB",
	},
	{
		"the chart kube was not checked, because it cannot be rendered: helm: the chart requires Kubernetes <1.2, but is rendered for v1.34.4",
		"the chart kube was not checked, for it cannot be rendered: helm: the chart wants Kubernetes <1.2, and is rendered for v1.34.4",
	},
	{
		"a library chart is not rendered by itself: its templates were checked only where charts contain them in charts/",
		"a library chart is not rendered by itself: its templates were checked as far as charts have the same in their charts/",
	},
	{
		"the chart link was not checked, because it cannot be rendered: link/templates/p.yaml is a symlink to /etc/passwd, outside the repository, where salint reads nothing",
		"the chart link was not checked, for it cannot be rendered: link/templates/p.yaml is a symlink to /etc/passwd, outside of the repository: nothing there is read",
	},
	{
		"the chart notyaml was not checked, because it cannot be rendered: it does not render to valid YAML: mapping values are not allowed in this context",
		"the chart notyaml was not checked, for it cannot be rendered: it does not render to valid YAML: mapping values are not allowed in this context",
	},
	{
		"this template renders differently each time, because it reads the clock: it was checked as rendered now, and fixes of it may not be verifiable",
		"this renders to something else every time, for it asks for the time: it was checked as rendered now, and fixes of this template may not be provable",
	},
	{
		"schema/values.schema.json: the values were not checked against the schema, because it references something outside the chart",
		"schema/values.schema.json: the values were not checked against the schema, which refers to something outside of the chart",
	},
	{
		"the chart schema2 was not checked, because it cannot be rendered: helm: values don't meet the specifications of the schema(s) in the following chart(s): schema2: - at '': missing property 'x'",
		"the chart schema2 was not checked, for it cannot be rendered: helm: values don't meet the specifications of the schema(s) in the following chart(s): schema2: - at '': missing property 'x'",
	},
	{
		"the folder gone is not in the repository",
		"there is no folder gone in the repository",
	},
	{
		"the folder ../x is not in the repository",
		"there is no folder ../x in the repository",
	},
	{
		`the path "{{x}}" contains a variable that is filled in later`,
		`the path "{{x}}" is filled in later`,
	},
	{
		"the source has neither a path nor a chart",
		"the source names neither a path nor a chart",
	},
	{
		"a plugin generates the objects, and salint runs no plugins",
		"the objects are made by a plugin, which is not run",
	},
	{
		"Argo CD rejects a source with settings of several kinds",
		"Argo CD refuses a source with settings of several kinds",
	},
	{
		"the values file gone.yaml is not in the repository",
		"there is no file of values gone.yaml in the repository",
	},
	{
		"the values file ../../../x.yaml is outside the repository",
		"the values ../../../x.yaml lead out of the repository",
	},
	{
		"the values file https://e.com/v.yaml was not read: it is a URL",
		"the values https://e.com/v.yaml are not read: they are at an address",
	},
	{
		"the values file $foo/v.yaml was not read: no source has this ref",
		"the values $foo/v.yaml are not read: no source has that ref",
	},
	{
		"the values file $ARGOCD_APP_NAME/{{x}}.yaml was not read: its path is known only during a sync",
		"the values $ARGOCD_APP_NAME/{{x}}.yaml are not read: where they are is only known when it is synced",
	},
	{
		`the chart chart was not checked with the values of Argo CD Application argocd/a12: apps/apps.yaml:102:135: the value "x.y[0].z" cannot be set by Helm: its name requires a list or a mapping where the values have something different`,
		`the chart chart was not checked with the values of Argo CD Application argocd/a12: apps/apps.yaml:102:135: the value "x.y[0].z" cannot be set, and Helm fails: its name takes something for a list or a mapping that is none among the values before it`,
	},
	{
		"the values file $v/a.yaml was not read: it is in another repository: no git remote has this address or repository name",
		"the values $v/a.yaml are not read: they are in another repository: no git remote has this address, or one of the same name",
	},
	{
		`Argo CD applies a rendered copy of the source on the branch "env/prod", which is updated when the hydrator has run`,
		`what is applied is a rendered copy of the source on the branch "env/prod": it follows when the hydrator has run`,
	},
	{
		"the kustomization in ops cannot be read, so its objects were not checked",
		"the kustomization of ops could not be read, so what it applies was not checked",
	},
	{
		"the applications of this generator are unknown: the generator clusters requires the clusters registered in Argo CD",
		"the applications of this generator are not known: the generator clusters needs the clusters that Argo CD knows",
	},
	{
		"the applications of this generator are unknown: the generator scmProvider requires the repositories of a git service",
		"the applications of this generator are not known: the generator scmProvider needs the repositories of a git service",
	},
	{
		"the applications of this generator are unknown: the generator pullRequest requires the pull requests of a git service",
		"the applications of this generator are not known: the generator pullRequest needs the pull requests of a git service",
	},
	{
		"the applications of this generator are unknown: the generator plugin requires a program",
		"the applications of this generator are not known: the generator plugin needs a program",
	},
	{
		"the applications of this generator are unknown: the generator nothing does not exist",
		"the applications of this generator are not known: there is no generator nothing",
	},
	{
		"the applications of this generator are unknown: an element is not a mapping",
		"the applications of this generator are not known: an element is no mapping",
	},
	{
		"the applications of this generator are unknown: elementsYaml is not a list of mappings: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal object into Go value of type []map[string]interface {}",
		"the applications of this generator are not known: elementsYaml is no list of mappings: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal object into Go value of type []map[string]interface {}",
	},
	{
		"the applications of this generator are unknown: without goTemplate, the values of an element must be strings, but a is not",
		"the applications of this generator are not known: without goTemplate an element holds texts, and a is none",
	},
	{
		"the applications of this generator are unknown: it reads https://git.example.com/o/p.git, which is not this repository: no git remote has this address or repository name",
		"the applications of this generator are not known: it looks at https://git.example.com/o/p.git, which is not this repository: no git remote has this address, or one of the same name",
	},
	{
		"the applications of this generator are unknown: it has neither directories nor files",
		"the applications of this generator are not known: it names neither directories nor files",
	},
	{
		`"x-{{name}}" contains a variable that is filled in later`,
		`"x-{{name}}" is filled in later`,
	},
	{
		"the applications of this generator are unknown: ops/a.yaml contains neither a mapping nor a list of mappings: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal number into Go value of type map[string]interface {}",
		"the applications of this generator are not known: ops/a.yaml holds neither a mapping nor a list of mappings: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal number into Go value of type map[string]interface {}",
	},
	{
		"the applications of this generator are unknown: a matrix requires two generators",
		"the applications of this generator are not known: a matrix has two generators",
	},
	{
		"the applications of this generator are unknown: a merge requires at least two generators, and mergeKeys",
		"the applications of this generator are not known: a merge has two generators or more, and mergeKeys",
	},
	{
		"the applications of this generator are unknown: both generators set a, with different values",
		"the applications of this generator are not known: both generators give a, with different values",
	},
	{
		"the applications of this generator are unknown: a nested generator must have exactly one kind",
		"the applications of this generator are not known: each generator within another is one of a kind",
	},
	{
		"the applications of this generator are unknown: generators are nested more than 2 deep",
		"the applications of this generator are not known: generators lie in one another more than 2 deep",
	},
	{
		`the applications of this generator are unknown: the selector has an unknown operator "Foo"`,
		`the applications of this generator are not known: a selector has no operator "Foo"`,
	},
	{
		`the application for a.b=c is unknown: function "name" not defined`,
		`the application for a.b=c is not known: function "name" not defined`,
	},
	{
		`the application for a=1 is unknown: function "name" not defined`,
		`the application for a=1 is not known: function "name" not defined`,
	},
	{
		`the application for path.basename=ops, path.basenameNormalized=ops, path.path=ops is unknown: function "name" not defined (and 1 more)`,
		`the application for path.basename=ops, path.basenameNormalized=ops, path.path=ops is not known: function "name" not defined (and 1 more)`,
	},
	{
		`the application for a=b is unknown: function "name" not defined`,
		`the application for a=b is not known: function "name" not defined`,
	},
	{
		`the application for name=a, path=ops is unknown: function "name" not defined (and 1 more)`,
		`the application for name=a, path=ops is not known: function "name" not defined (and 1 more)`,
	},
	{
		"the chart Argo CD Application argocd/a19 was not checked, because it cannot be rendered: helm: apps/apps.yaml:171:80: error converting YAML to JSON: yaml: line 1: did not find expected node content",
		"the chart Argo CD Application argocd/a19 was not checked, for it cannot be rendered: helm: apps/apps.yaml:171:80: error converting YAML to JSON: yaml: line 1: did not find expected node content",
	},
	{
		`the path "./${x}" contains a variable that is filled in later`,
		`the path "./${x}" is filled in later`,
	},
	{
		"values encrypted with sops are not read",
		"what is encrypted with sops is not read",
	},
	{
		"the value of the variable b is not in the repository, so objects were checked without it",
		"the value of the variable b is not in the repository, so objects were checked as they are without it",
	},
	{
		"the value of the variable x is not in the repository, so objects were checked without it",
		"the value of the variable x is not in the repository, so objects were checked as they are without it",
	},
	{
		"the variables of Secret s are unknown: Secrets are not read",
		"the variables of Secret s are not known: what Secrets hold is not read",
	},
	{
		"the variables of ConfigMap gone are unknown: it is not in the repository",
		"the variables of ConfigMap gone are not known: it is not in the repository",
	},
	{
		"the variables of ConfigMap vars are unknown: several ConfigMaps have this name",
		"the variables of ConfigMap vars are not known: there are several of this name",
	},
	{
		"the variables of ConfigMap two are unknown: several ConfigMaps have this name",
		"the variables of ConfigMap two are not known: there are several of this name",
	},
	{
		"the variables of ConfigMap ${q} are unknown: its name contains a variable that is filled in later",
		"the variables of ConfigMap ${q} are not known: its name is filled in later",
	},
	{
		`the variables of an object cannot be substituted, so it was checked as it is written: "a-b" is not a valid variable name: use letters, digits, and _`,
		`the variables of an object could not be filled in, so it was checked without: "a-b" is no name of a variable: letters, digits and _ make one`,
	},
	{
		"ops cannot be built, so its objects were checked as they are in their files: kustomize: accumulating resources: accumulation err='accumulating resources from './a.yaml': missing Resource metadata': must build at directory: 'ops/a.yaml': file is not directory",
		"not built, so the objects of ops were checked as they stand in their files: kustomize: accumulating resources: accumulation err='accumulating resources from './a.yaml': missing Resource metadata': must build at directory: 'ops/a.yaml': file is not directory",
	},
	{
		"the values of Secret s are unknown: Secrets are not read",
		"the values of Secret s are not known: what Secrets hold is not read",
	},
	{
		"the values of ConfigMap gone are unknown: it is not in the repository",
		"the values of ConfigMap gone are not known: it is not in the repository",
	},
	{
		"the values of ConfigMap ok are unknown: it has no key values.yaml",
		"the values of ConfigMap ok are not known: it has no data under values.yaml",
	},
	{
		"the values of ConfigMap vars are unknown: several ConfigMaps have this name",
		"the values of ConfigMap vars are not known: there are several of this name",
	},
	{
		"the values of ConfigMap two are unknown: several ConfigMaps have this name",
		"the values of ConfigMap two are not known: there are several of this name",
	},
	{
		"2 sources of applications are in other repositories, so their objects were not checked. Run salint in these repositories. The first source: the source base of https://git.example.net/other/operators.git was not checked: no git remote has this address, and no folder referenced with it exists here",
		"2 sources of applications are not in this repository, and what they apply was not checked: lint the repositories they are in. The first: the source base of https://git.example.net/other/operators.git was not looked at: no git remote has this address, and no folder that is taken from it is here",
	},
	{
		"no kustomization in the repository lists this component, and it cannot be built by itself: its objects were checked as they are in their files",
		"no kustomization of the repository lists this component, and it cannot be built by itself: its objects were checked as they stand in their files",
	},
	{
		"out cannot be built, so its objects were checked as they are in their files: /etc: outside the repository, where salint reads nothing",
		"not built, so the objects of out were checked as they stand in their files: /etc: lies outside of the repository: nothing there is read",
	},
	{
		"self cannot be built, so its objects were checked as they are in their files: kustomize: accumulating resources: accumulation err='accumulating resources from '../self': 'self' must resolve to a file': cycle detected: candidate root 'self' contains visited root 'self'",
		"not built, so the objects of self were checked as they stand in their files: kustomize: accumulating resources: accumulation err='accumulating resources from '../self': 'self' must resolve to a file': cycle detected: candidate root 'self' contains visited root 'self'",
	},
	{
		"wrong cannot be built, so its objects were checked as they are in their files: kustomize: replace operation does not apply: doc is missing path: /spec/nothing/there: missing value",
		"not built, so the objects of wrong were checked as they stand in their files: kustomize: replace operation does not apply: doc is missing path: /spec/nothing/there: missing value",
	},
	{
		`resources: "../../../etc" is outside the repository and was not checked`,
		`resources: "../../../etc" lies outside the repository and was not looked at`,
	},
	{
		`resources: "../../out/base" is outside the repository and was not checked`,
		`resources: "../../out/base" lies outside the repository and was not looked at`,
	},
	{
		`resources: "../outside" is outside the repository and was not checked`,
		`resources: "../outside" lies outside the repository and was not looked at`,
	},
	{
		`resources: "../self" leads back to a kustomization that lists it: kustomize refuses such a cycle`,
		`resources: "../self" leads back to a kustomization that lists it: kustomize refuses such a circle`,
	},
	{
		`resources: "empty" was not read: it is missing, excluded, or ignored`,
		`resources: "empty" is not among the files that were read: it is missing, excluded or ignored`,
	},
	{
		`resources: "missing.yaml" was not read: it is missing, excluded, or ignored`,
		`resources: "missing.yaml" is not among the files that were read: it is missing, excluded or ignored`,
	},
	{
		"the chart broken was not checked, because it cannot be rendered: helm: parse error at (broken/templates/extension.yaml:14): unexpected EOF",
		"the chart broken was not checked, for it cannot be rendered: helm: parse error at (broken/templates/extension.yaml:14): unexpected EOF",
	},
	{
		"the chart charts/ops was not checked with the values of envs/gone.yaml: the file does not exist (paths are relative to the folder of the configuration)",
		"the chart charts/ops was not checked with the values of envs/gone.yaml: there is no such file (paths are relative to the folder of the configuration)",
	},
	{
		"the chart invalid was not checked, because it cannot be rendered: helm: execution error at (invalid/templates/cluster.yaml:2:3): say which cluster",
		"the chart invalid was not checked, for it cannot be rendered: helm: execution error at (invalid/templates/cluster.yaml:2:3): say which cluster",
	},
	{
		"the chart missing was not checked, because it cannot be rendered: helm: dependencies missing in charts/: common. Run `helm dependency build` in the chart, and commit the result",
		"the chart missing was not checked, for it cannot be rendered: helm: dependencies that are not in charts/: common; run `helm dependency build` in the chart and commit what it puts there",
	},
	{
		"the chart schema was not checked, because it cannot be rendered: helm: values don't meet the specifications of the schema(s) in the following chart(s): schema: - at '': missing property 'cluster'",
		"the chart schema was not checked, for it cannot be rendered: helm: values don't meet the specifications of the schema(s) in the following chart(s): schema: - at '': missing property 'cluster'",
	},
	{
		"the value of the variable role is not in the repository, so objects were checked without it",
		"the value of the variable role is not in the repository, so objects were checked as they are without it",
	},
	{
		"the chart charts/opps does not exist. In `helm`, use the folders of charts, relative to the folder of the configuration",
		"there is no chart charts/opps: `helm` names the folders of charts, relative to the folder of the configuration",
	},
	{
		"the folder operators/gone is not in the repository",
		"there is no folder operators/gone in the repository",
	},
	{
		"templates that test for the API version olm.operatorframework.io/v1 were checked only for clusters without it. Pass --helm-api-versions olm.operatorframework.io/v1, or add `helm: {charts/ops: {apiVersions: [olm.operatorframework.io/v1]}}` to .salint.yaml",
		"what depends on the API version olm.operatorframework.io/v1 was checked as on a cluster without it: add --helm-api-versions olm.operatorframework.io/v1, or `helm: {charts/ops: {apiVersions: [olm.operatorframework.io/v1]}}` to .salint.yaml",
	},
	{
		"not valid YAML, so the document was not checked: not UTF-8: byte 0xf6",
		"not valid YAML, so the document was not checked: not UTF-8: the byte 0xf6 stands here",
	},
}

func TestFormerWords(t *testing.T) {
	for _, pair := range reworded {
		if got := formerWords(pair[0]); got != pair[1] {
			t.Errorf("formerWords(%q)\n got %q\nwant %q", pair[0], got, pair[1])
		}
	}
}

func TestFormerWordsKeepsOtherMessages(t *testing.T) {
	for _, message := range []string{
		"not text, for it has a zero byte here, so the file was not checked",
		"https://example.com/x.yaml lies outside of the repository and was not checked",
		"no ClusterExtension harbor was read, so the bundle that is named for it is not used",
	} {
		if got := formerWords(message); got != message {
			t.Errorf("formerWords(%q) = %q", message, got)
		}
	}
}

func TestFingerprintHasFormerWords(t *testing.T) {
	file := Finding{Rule: "repo/not-checked", File: "a.yaml"}
	before, after := file, file
	after.Message, before.Message = reworded[0][0], reworded[0][1]
	if before.Fingerprint() != after.Fingerprint() {
		t.Error("the fingerprint of a finding about a file changed with the words of its message")
	}
}

func TestFingerprintOfAHolder(t *testing.T) {
	of := func(holder string) string {
		return Finding{Rule: "olm/cluster-admin-grant", File: "a.yaml", Resource: Resource{Name: "ops"}, Path: "roleRef", Holder: holder}.Fingerprint()
	}
	if of("jane") == of("bob") {
		t.Error("findings about two holders at one field have the same fingerprint")
	}
	if of("") == of("jane") {
		t.Error("a finding about a holder has the fingerprint of one without")
	}
}
