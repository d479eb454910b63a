// Package action runs salint as a step of a GitHub workflow: it reads the inputs of action.yml, starts the program, and
// hands the results to the workflow as annotations, outputs and a job summary.
//
// Inputs arrive as environment variables and never pass through a shell: a path or a branch name may hold anything.
package action
