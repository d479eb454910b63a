// Package fleetplan plans the migration of many repositories from their JSON reports: in which wave each extension can move, and who can become cluster-admin.
package fleetplan
