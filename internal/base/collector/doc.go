// Package collector sets how often garbage is collected: seldom in a small heap, from the initialization of packages on.
package collector
