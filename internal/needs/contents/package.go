package contents

import (
	"fmt"

	"github.com/salint/salint/internal/render/content"
)

// OtherPackage returns a warning if two bundles belong to different packages.
func OtherPackage(old, fresh *content.Content) []string {
	if old.Package == "" || fresh.Package == "" || old.Package == fresh.Package {
		return nil
	}
	return []string{fmt.Sprintf("the old bundle is of package %s and the new one of %s: these are not versions of the same operator", old.Package, fresh.Package)}
}
