package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"
)

// completion gives the script that has a shell ask salint itself what could come next.
func completion(app *cli.App, shell string) (string, error) {
	switch shell {
	case "bash":
		return bashCompletion, nil
	case "zsh":
		return zshCompletion, nil
	case "fish":
		return app.ToFishCompletion()
	case "powershell":
		return powershellCompletion, nil
	case "":
		return "", errors.New("say for which shell: bash, zsh, fish or powershell")
	}
	return "", fmt.Errorf("no completion for %q: use bash, zsh, fish or powershell", shell)
}

const bashCompletion = `# completion of salint for bash; load it with: source <(salint completion bash)
_salint() {
  local current words
  current="${COMP_WORDS[COMP_CWORD]}"
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
