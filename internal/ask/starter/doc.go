// Package starter writes commented manifests with safe values as a starting point.
package starter
