// Package fleet reads the JSON reports of lint runs on many repositories as a stream, and writes one report about all of them.
package fleet
