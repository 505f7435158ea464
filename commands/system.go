package commands

import (
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"mcpq/output"
)

// System is the Env of a real process.
func System() *Env {
	return &Env{
		Streams: output.SystemStreams(),
		Getenv:  os.Getenv,
		Environ: func() []string { return withoutSecrets(os.Environ()) },
		Version: version(),
		Signals: notifySignals,
		Kill:    os.Exit,

		Terminal: openTerminal,
		CacheDir: os.UserCacheDir,
	}
}

func notifySignals() <-chan os.Signal {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	// A closed stdout is to be an error of Write, so that the server can be
	// ended in order. Ignoring the signal would do that too, but server
	// processes would inherit it.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return signals
}

// version is that of the module, as the build recorded it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}
