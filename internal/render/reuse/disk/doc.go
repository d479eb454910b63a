// Package disk keeps results of builds in a folder, for later runs.
//
// Who can write to the folder can claim any result, so that it belongs to the user who runs salint, and no other user may write to it.
// Within that, nothing is trusted that can be checked: each entry has a checksum over all of it, and one that is damaged, too large, or
// of another program is ignored. Proofs of fixes never use it.
//
// Entries are written as temporary files and renamed, so that several runs can use one folder. Its size is limited: the entries that
// were not used for the longest time are removed.
package disk
