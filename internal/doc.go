// Package internal holds salint's packages in groups. Data flows through the groups in one direction:
//
//	base → files → kube → render → config → assemble → needs → rules → fixers → proof → lint → output → ask → cmd
//
// A package imports packages of the same group and of groups before it, never of groups after it. TestImportOrder enforces
// this. Rules and fixers lie at the top of the repository, because users read and extend them.
package internal
