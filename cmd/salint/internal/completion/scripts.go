package completion

import (
	"errors"
	"fmt"
)

// Flag is the flag that the scripts append to a command line to request completions. The library's flag of this
// name does not complete values, and reads the command line of the process instead of its arguments.
const Flag = "--generate-bash-completion"

// Shells are those that have a script.
var Shells = []string{"bash", "zsh", "fish", "powershell"}

// Script returns a script with which a shell requests completions from salint.
func Script(shell string) (string, error) {
	switch shell {
	case "bash":
		return bashCompletion, nil
	case "zsh":
		return zshCompletion, nil
	case "fish":
		return fishCompletion, nil
	case "powershell":
		return powershellCompletion, nil
	case "":
		return "", errors.New("specify a shell: bash, zsh, fish, or powershell")
	}
	return "", fmt.Errorf("no completion for %q: use bash, zsh, fish, or powershell", shell)
}

const bashCompletion = `# completion of salint for bash; load it with: source <(salint completion bash)
_salint() {
  local current words
  current="${COMP_WORDS[COMP_CWORD]}"
  [[ $current == "=" ]] && current=""
  words=("${COMP_WORDS[@]:0:COMP_CWORD}")
  if [[ $current == -* ]]; then
    words+=("$current")
  fi
  mapfile -t COMPREPLY < <(compgen -W "$("${words[@]}" --generate-bash-completion 2>/dev/null)" -- "$current")
}
complete -o bashdefault -o default -F _salint salint
`

const zshCompletion = `#compdef salint
# completion of salint for zsh; load it with: source <(salint completion zsh)
_salint() {
  local -a answers
  local current="${words[CURRENT]}"
  if [[ $current == -* ]]; then
    answers=("${(@f)$(${words[1,CURRENT-1]} $current --generate-bash-completion 2>/dev/null)}")
  else
    answers=("${(@f)$(${words[1,CURRENT-1]} --generate-bash-completion 2>/dev/null)}")
  fi
  if [[ -n ${answers[1]} ]]; then
    _describe 'values' answers
  else
    _files
  fi
}
compdef _salint salint
`

const fishCompletion = `# completion of salint for fish; load it with: salint completion fish | source
function __salint_answers
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -e words[1]
    if string match -q -- '-*' $current
        set -a words $current
    end
    command salint $words --generate-bash-completion 2>/dev/null
end
complete -c salint -n 'count (__salint_answers) >/dev/null' -f -a '(__salint_answers)'
`

const powershellCompletion = `# completion of salint for PowerShell; load it with: salint completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName salint -ScriptBlock {
  param($current, $ast, $position)
  $words = @($ast.CommandElements | ForEach-Object { $_.ToString() })
  if ($current -and -not $current.StartsWith('-')) { $words = $words[0..($words.Count - 2)] }
  $rest = @($words | Select-Object -Skip 1)
  & $words[0] @rest --generate-bash-completion 2>$null | Where-Object { $_ -like "$current*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`
