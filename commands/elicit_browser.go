package commands

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"mcpq/commands/servers"
)

// browserCommands are the programs that open a URL, the first that is there
// being the right one: those of $BROWSER, or that of the system. The URL is
// always one argument, and no shell sees it.
func browserCommands(goos, browser, url string) [][]string {
	var all [][]string
	between := ":"
	if goos == "windows" { // where drives have colons
		between = ";"
	}
	for one := range strings.SplitSeq(browser, between) {
		words, err := servers.WordsOn(goos, one)
		if err != nil || len(words) == 0 {
			continue
		}
		given := false
		for i, w := range words[1:] {
			if strings.Contains(w, "%s") {
				words[i+1] = strings.ReplaceAll(w, "%s", url)
				given = true
			}
		}
		if !given {
			words = append(words, url)
		}
		all = append(all, words)
	}
	if len(all) > 0 {
		return all
	}
	switch goos {
	case "windows":
		return [][]string{{"rundll32", "url.dll,FileProtocolHandler", url}}
	case "darwin":
		return [][]string{{"open", url}}
	}
	return [][]string{{"xdg-open", url}, {"wslview", url}, {"sensible-browser", url}}
}

// openBrowser starts the browser, which goes on without us. It gets none of our
// streams: what it shows is between it and the person.
func openBrowser(ctx context.Context, env *Env, url string) error {
	browser := env.Getenv("BROWSER")
	if runtime.GOOS == "windows" {
		browser = "" // there a colon is part of a path
	}
	err := errors.New("no program for it was found")
	for _, words := range browserCommands(runtime.GOOS, browser, url) {
		path, lookErr := exec.LookPath(words[0])
		if lookErr != nil {
			continue
		}
		cmd := exec.Command(path, words[1:]...)
		cmd.Env = env.Environ()
		cmd.SysProcAttr = detached()
		if err = cmd.Start(); err != nil {
			continue
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		const patience = time.Second // a program that fails does so soon
		select {
		case err = <-ended:
			if err == nil {
				return nil
			}
		case <-time.After(patience):
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return err
}
