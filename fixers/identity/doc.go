// Package identity holds the fixers that change which identity OLM acts as for an extension, or what that identity is granted:
// they remove and add the service account, bind the synthetic identity, and grant what a bundle or the runtime needs.
package identity
