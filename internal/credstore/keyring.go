package credstore

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/zalando/go-keyring"
)

// SystemKeyring is the keyring of the operating system, or nil where there is
// none to be expected. Only what it is asked for reaches it.
func SystemKeyring(getenv func(string) string, service string) Keyring {
	switch runtime.GOOS {
	case "darwin", "windows":
	default:
		// Without a session of a desktop the search for one can take long.
		if getenv("DBUS_SESSION_BUS_ADDRESS") == "" {
			return nil
		}
	}
	return systemKeyring{service}
}

type systemKeyring struct{ service string }

// patience is for a person who is asked to unlock the keyring.
const patience = 30 * time.Second

// within ends the wait for a keyring. What it waits for cannot be ended.
func within(ctx context.Context, do func() error) error {
	done := make(chan error, 1)
	go func() { done <- do() }()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case err := <-done:
		if errors.Is(err, keyring.ErrNotFound) {
			return ErrNotFound
		}
		return err
	case <-timer.C:
		return fmt.Errorf("no answer from the keyring within %s", patience)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (k systemKeyring) Get(ctx context.Context, name string) (string, error) {
	got := make(chan string, 1)
	err := within(ctx, func() error {
		secret, err := keyring.Get(k.service, name)
		got <- secret
		return err
	})
	if err != nil {
		return "", err
	}
	return <-got, nil
}

func (k systemKeyring) Set(ctx context.Context, name, secret string) error {
	return within(ctx, func() error { return keyring.Set(k.service, name, secret) })
}

func (k systemKeyring) Delete(ctx context.Context, name string) error {
	return within(ctx, func() error { return keyring.Delete(k.service, name) })
}
