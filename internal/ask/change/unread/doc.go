// Package unread compares what two states of a repository do not show: sources elsewhere, their revisions, and the settings for them, in which
// new power can hide.
package unread
