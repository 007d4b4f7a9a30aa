// Defines shell completion scripts. Each requests candidates from the program itself, so plugin commands need no additional script.

/** Returns the script for a program name, by shell. */
export const scripts: Readonly<Record<string, (program: string) => string>> = { bash, zsh, fish };

/**
 * Returns the script for bash. Bash also splits words at `=` and `:`. The script joins them again, and removes the part before the split from the candidates.
 */
function bash(program: string): string {
  const name = `_${functionName(program)}_complete`;
  return `# Completion of ${program} for bash: put this into ~/.bashrc
#   source <(${program} completion bash)
${name}() {
  local rest="\${COMP_LINE:0:COMP_POINT}" count=0 at word words=() value text shared
  for ((at = 0; at <= COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    if ((at > 0)) && [[ -n "$rest" && "$rest" != [[:space:]]* ]]; then
      words[count - 1]+="$word"
    else
      words[count++]="$word"
    fi
    rest="\${rest#"\${rest%%[![:space:]]*}"}"
    rest="\${rest#"$word"}"
  done
  word="\${words[count - 1]}"
  shared="\${word%"\${word##*[=:]}"}"
  COMPREPLY=()
  while IFS=$'\\t' read -r value text; do
    case "$value" in
      :file) compopt -o default 2>/dev/null; return ;;
      :folder) compopt -o dirnames 2>/dev/null; COMPREPLY=(); return ;;
      *) COMPREPLY+=("$(printf '%q' "\${value#"$shared"}")") ;;
    esac
  done < <("\${words[0]/#\\~/$HOME}" completion words -- "\${words[@]:1}" 2>/dev/null </dev/null)
}
complete -F ${name} ${program}
`;
}

function zsh(program: string): string {
  const name = `_${functionName(program)}`;
  return `#compdef ${program}
# Completion of ${program} for zsh: put this into ~/.zshrc, after compinit
#   source <(${program} completion zsh)
${name}() {
  local -a found
  local value text
  while IFS=$'\\t' read -r value text; do
    case "$value" in
      :file) _files; return ;;
      :folder) _files -/; return ;;
      *) found+=("\${value//:/\\\\:}:$text") ;;
    esac
  done < <("\${words[1]/#\\~/$HOME}" completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null </dev/null)
  (( \${#found} )) && _describe ${program} found
}
if [[ "\${funcstack[1]}" == ${name} ]]; then ${name} "$@"; else compdef ${name} ${program}; fi
`;
}

function fish(program: string): string {
  const name = `__${functionName(program)}_complete`;
  return `# Completion of ${program} for fish:
#   ${program} completion fish > ~/.config/fish/completions/${program}.fish
function ${name}
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  for line in ($before[1] completion words -- $before[2..-1] "$current" 2>/dev/null </dev/null)
    switch $line
      case :file
        __fish_complete_path "$current"
      case :folder
        __fish_complete_directories "$current"
      case '*'
        echo $line
    end
  end
end
complete -c ${program} -f -a '(${name})'
`;
}

function functionName(program: string): string {
  return program.replace(/\W/g, '_');
}
