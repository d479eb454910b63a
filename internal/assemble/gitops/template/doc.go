// Package template fills in the templates of Argo CD's ApplicationSets, in both of their languages. Hostile templates
// cannot loop endlessly, produce huge output, or read the clock, random numbers or the environment.
package template
