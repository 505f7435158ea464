package auth

import (
	"slices"
	"strings"
)

// union is the scopes of all sets, each once, in the order in which they come.
func union(sets ...[]string) []string {
	var all []string
	for _, set := range sets {
		for _, s := range set {
			if s != "" && !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// covers reports whether all of want is in have.
func covers(have, want []string) bool {
	for _, s := range want {
		if !slices.Contains(have, s) {
			return false
		}
	}
	return true
}

// offlineAccess is the scope that stands for a refresh token.
const offlineAccess = "offline_access"

// initialScopes are those to ask for at first: what the user says, else what
// the challenge says, else all that the resource knows; maybe none.
func initialScopes(configured []string, challenge Challenge, resource []string) []string {
	switch scope := strings.Fields(challenge.Params["scope"]); {
	case len(configured) > 0:
		return union(configured)
	case len(scope) > 0:
		return union(scope)
	}
	return union(resource)
}

// withOffline asks for a refresh token where the authorization server has a
// scope for that. Alone it would narrow what no scope at all stands for.
func withOffline(scopes, supported []string) []string {
	if len(scopes) > 0 && slices.Contains(supported, offlineAccess) {
		return union(scopes, []string{offlineAccess})
	}
	return scopes
}
