// Command bundles runs salint on a folder of registry+v1 bundles, compares its answers with those of the packages of operator-controller,
// and prints counts by cause:
//
//	go run ./test/bundles -salint bin/salint -upstream bin/bundles FOLDER
//
// For each bundle and release it compares whether the bundle is installed with default gates, and with all gates and a namespace to watch,
// whether what preflight lists is sufficient for the pre-authorizer, and for the newest bundle of each package whether each verb of it is
// necessary. For each upgrade of a bundle to the one that replaces it, it compares which definitions block it, and whether bundle-diff
// names each permission that the installer needs in addition. A difference without a cause in causes.go is an error: exit code 1.
package main
