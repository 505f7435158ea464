#compdef mcpq
# zsh completion for mcpq: a file _mcpq in a folder of fpath, or, behind
# compinit: source <(mcpq completion zsh)
compdef _mcpq mcpq

_mcpq() {
	local program=mcpq before after line mode
	local -a out final open
	integer at
	# The program that is being called, be it another one than that in PATH.
	[[ ${words[1]:t} == mcpq ]] && program=${words[1]/#\~\//$HOME/}
	at=${words[(i)--]}
	if (( at < CURRENT )); then
		# The command of a server: what zsh itself knows of it.
		shift at words
		(( CURRENT -= at ))
		_normal
		return
	fi
	before="${(j: :)words[1,CURRENT-1]} $QIPREFIX$IPREFIX$PREFIX"
	after="$SUFFIX$ISUFFIX$QISUFFIX ${(j: :)words[CURRENT+1,-1]}"
	out=("${(@f)$("$program" __complete zsh "$before" "$after" 2>/dev/null)}")
	mode=$out[1]
	for line in "${(@)out[2,-1]}"; do
		case $line in
		final\ *) final+=("${line#final }") ;;
		open\ *) open+=("${line#open }") ;;
		esac
	done
	local ret=1
	_tags values files
	while _tags; do
		if _requested values; then
			(( $#final )) && _describe -t values value final && ret=0
			(( $#open )) && _describe -t values value open -S '' && ret=0
		fi
		if _requested files && [[ $mode == (files|dirs)\ * ]]; then
			compset -p ${mode#* }
			[[ $mode == dirs* ]] && { _files -/ && ret=0 } || { _files && ret=0 }
		fi
		(( ret )) || break
	done
	return ret
}

# Read from a file of fpath, this is the function's first call.
[[ $funcstack[1] == _mcpq ]] && _mcpq
