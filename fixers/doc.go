// Package fixers works out how a finding is mended: a request in, a plan out.
//
// There is one file per fix. A fix reads the repository as the inventory has it and answers with a [Plan]: what is to be
// changed in which document, which documents are to be generated, and whose permissions change by it. It touches no
// file. [Combine] turns the plans of one run into the new bytes of files, and package verify proves that the bytes are
// what the plans declared before anything is written.
//
// A fix that would leave an identity with less than it had, or that rests on something the repository does not show, is
// a [Refusal]: it says what is not done, why, and what to do by hand.
package fixers
