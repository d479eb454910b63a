package salint.helpers.token.projection_values

import data.salint.helpers

# correct_seconds is the remedy for each problem with expirationSeconds.
correct_seconds := {
	"low": "Set at least 600.",
	"high": "Set at most 4294967296.",
	"fraction": "Set a whole number.",
	"text": "Set a number, without quotes.",
	"boolean": "Set a number.",
}

# problem_of_seconds is undefined for a valid value.
problem_of_seconds(seconds) := "low" if {
	is_whole(seconds)
	seconds < 600
}

problem_of_seconds(seconds) := "high" if {
	is_number(seconds)
	seconds > 4294967296
}

problem_of_seconds(seconds) := "fraction" if {
	is_number(seconds)
	seconds <= 4294967296
	not is_whole(seconds)
}

problem_of_seconds(seconds) := "text" if {
	is_string(seconds)
	not helpers.templated(seconds)
}

problem_of_seconds(seconds) := "boolean" if is_boolean(seconds)

is_whole(seconds) if {
	is_number(seconds)
	floor(seconds) == seconds
}

# correct_path is the remedy for each problem with a path that leads out of the volume.
correct_path := {
	"absolute": "Set a relative path.",
	"parent": `Set a path without the part "..".`,
	"dots": `Set a path that does not begin with "..".`,
}

# problem_of_path is undefined for a valid path.
problem_of_path(path) := "absolute" if {
	startswith(path, "/")
} else := "parent" if {
	".." in split(path, "/")
} else := "dots" if startswith(path, "..")
