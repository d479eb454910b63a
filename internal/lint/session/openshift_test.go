package session

import "testing"

func TestOpenShiftAPI(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"apiVersion: route.openshift.io/v1\n":                        true,
		"kind: List\nitems:\n- apiVersion: 'config.openshift.io/v1'": true,
		`{"apiVersion": "config.openshift.io/v1"}`:                   true,
		"  \"apiVersion\": \"security.openshift.io/v1\",":            true,
		"apiVersion: nfd.openshift.io/v1\n":                          false,
		"apiVersion: olm.operatorframework.io/v1\n":                  false,
		"# apiVersion: route.openshift.io/v1\n":                      false,
		"group: route.openshift.io\n":                                false,
		"apiVersion: route.openshift.io.example.com/v1\n":            false,
	} {
		if got := openShiftAPI().MatchString(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
