// Package fixtext turns the descriptions of fixes into what they offer to do and into what they did.
package fixtext
