# fish completion for mcpq: a file in a folder of fish_complete_path, or:
# mcpq completion fish | source

function __mcpq_complete
    set -l program mcpq
    # The program that is being called, be it another one than that in PATH.
    set -l words (commandline -opc)
    if test (count $words) -gt 0; and test (string replace -r '.*/' '' -- $words[1]) = mcpq
        set -l named (string replace -r '^~/' "$HOME/" -- $words[1])
        command -sq -- $named; and set program $named
    end
    set -l before (commandline -pc | string collect)
    # What stands behind the cursor fish does not tell.
    set -l out ($program __complete fish "$before" '' 2>/dev/null)
    if string match -q 'command *' -- $out[1]
        # The command of a server: what fish itself knows of it.
        complete -C (string sub -s 9 -- $out[1])
        return
    end
    printf '%s\n' $out[2..]
end

complete -c mcpq -e
complete -c mcpq -f -a '(__mcpq_complete)'
