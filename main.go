// Mcpq is a scriptable command line client for the Model Context Protocol:
// one server, one operation, JSON on stdout, an exit code to branch on.
package main

import (
	"os"

	"mcpq/commands"
)

func main() { os.Exit(commands.Main(os.Args[1:], commands.System())) }
