// Package template fills in the templates of Argo CD's ApplicationSets, in both of their languages, without running into
// anything that a hostile template may ask for: endless loops, huge texts, the time, chance, or the machine it runs on.
package template
