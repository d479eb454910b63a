// Package fixing plans and verifies the fixes of the findings of one round.
package fixing
