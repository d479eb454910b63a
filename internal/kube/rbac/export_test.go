package rbac

// BuiltinRoles lets tests count the default roles.
var BuiltinRoles = builtinRoles
