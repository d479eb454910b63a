// Package verify verifies plans of the fixers before anything is written: the edited bytes are parsed again, and must
// differ from the old ones exactly by what the plans declare; the deployment units are assembled and built again, and must
// apply the same objects except for declared changes; and no identity may gain or lose a permission without a declaration.
//
// It relies on neither the fixers nor the editor. Plans that cannot be verified are dropped, with the reason.
package verify
