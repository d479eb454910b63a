package metadata

import (
	"fmt"
	"regexp"

	"github.com/Masterminds/semver/v3"
)

// Running is the version of the program, which sets it when it starts. Rules are not compared with a version that is no release.
var Running string

// requirement is what `custom.requires` can say.
var requirement = regexp.MustCompile(`^salint >= ?v?([0-9]+\.[0-9]+(?:\.[0-9]+)?)$`)

// checkRequires returns an error if a rule requires a newer salint than the one that runs.
func (p *File) checkRequires(text string) error {
	if text == "" {
		return nil
	}
	found := requirement.FindStringSubmatch(text)
	if found == nil {
		return p.errorf("requires", "custom.requires: %q: write the oldest version that the rule works with, as in `salint >= 1.2`", text)
	}
	running, err := semver.NewVersion(Running)
	if err != nil {
		return nil
	}
	oldest := semver.MustParse(found[1])
	// A build between two releases has the name of the earlier one, and has what the later one will have.
	released, err := running.SetPrerelease("")
	if err == nil && released.LessThan(oldest) {
		return p.errorf("requires", "custom.requires: the rule requires salint %s, and this is %s: update salint, or use older policies", found[1], Running)
	}
	return nil
}

// UserFamily is the family that is reserved for rules of users.
const UserFamily = "custom"

// CheckFamily refuses a rule of a user in a family of salint's own rules: a later version can have a rule of the same name.
func (p *File) CheckFamily(r *Rule, isOwn func(family string) bool) error {
	if !isOwn(r.Family) {
		return nil
	}
	return fmt.Errorf("%s:%d: %s is a family of salint's own rules, which can get more of them: use the family %s, which salint never uses, or your own",
		p.Name, p.PackageRow, r.Family, UserFamily)
}
