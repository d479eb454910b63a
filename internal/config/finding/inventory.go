package finding

// Inventory is what a report on many repositories joins.
type Inventory struct {
	Roles    []PowerRole
	Bindings []OpenBinding
}

// RoleRef names a role.
type RoleRef struct{ Kind, Namespace, Name string }

// String returns the role as messages name it.
func (r RoleRef) String() string { return Subject(r).String() }

// PowerRole is a role whose rules give power, which a binding of another repository can give to anyone.
type PowerRole struct {
	Role RoleRef
	// File is relative to the root of the repository.
	File string
	Line int
	// Powers are what it gives, one in each line, and Admin is set if that is everything.
	Powers string
	Admin  bool
}

// OpenBinding is a subject of a binding whose role the repository does not define: another one can.
type OpenBinding struct {
	// Binding is its kind and name, and Scope the namespace in which it grants; "" for the cluster.
	Binding, Scope string
	File           string
	Line           int
	Role           RoleRef
	Subject        Subject
}
