// Package generators runs the generators of Argo CD's ApplicationSets: it returns the parameters of the applications that they
// generate. Hostile generators are limited in what they read and return.
package generators
