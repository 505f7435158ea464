# bash completion for mcpq: a file in the folder completions of bash-completion,
# or: source <(mcpq completion bash)

_mcpq() {
	local program=mcpq line out i
	# The program that is being called, be it another one than that in PATH.
	case ${1##*/} in mcpq) program=${1/#\~\//$HOME/} ;; esac
	COMPREPLY=()
	out=$("$program" __complete bash "${COMP_LINE:0:COMP_POINT}" "${COMP_LINE:COMP_POINT}" "$2" 2>/dev/null) || return
	if [[ $out == command* ]]; then
		# The command of a server: what bash itself knows of it.
		for ((i = 1; i < COMP_CWORD; i++)); do
			[[ ${COMP_WORDS[i]} == -- ]] && break
		done
		if declare -F _comp_command_offset >/dev/null; then
			_comp_command_offset $((i + 1))
			return
		elif declare -F _command_offset >/dev/null; then
			_command_offset $((i + 1))
			return
		elif ((COMP_CWORD == i + 1)) && [[ ${COMP_WORDS[COMP_CWORD]} != */* ]]; then
			while IFS= read -r line; do
				COMPREPLY+=("$line ")
			done < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}" | sort -u)
			return
		fi
	fi
	{
		read -r line
		while IFS= read -r line; do
			COMPREPLY+=("$line")
		done
	} <<<"$out"
}

# A word that goes on, such as name=, is to have no blank behind it: where there
# is one to be, it is part of the answer.
complete -o nospace -F _mcpq mcpq
