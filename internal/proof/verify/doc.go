// Package verify proves plans of the fixers before anything is written: the edited bytes are parsed again, and must
// differ from the old ones by what the plans declare and by nothing else; the deployment units are put together again,
// those that are built are built again, and must apply what they did before but for what the plans declare of them; and
// nobody may have lost or gained a permission that was not declared.
//
// It trusts neither the fixers nor the editor. What it cannot prove is dropped, with the reason.
package verify
