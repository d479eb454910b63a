// Package lint is the one way through: it reads a repository, has the rules judge it, works out the fixes and proves
// them, and says what came of it. It decides nothing that one of the packages it calls could decide.
package lint
