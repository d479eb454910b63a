// Package views makes what the reports of `lint` show beside the findings: the graph of permissions, and who can become cluster-admin.
package views
