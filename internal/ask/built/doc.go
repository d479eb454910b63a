// Package built shows what each deployment unit applies, and from which files: `salint build`.
package built
