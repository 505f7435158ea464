// Package auth is MCP authorization: an [http.RoundTripper] that gets, keeps
// and renews the access token of one MCP server.
//
// A [Transport] stands between the MCP client and the network. It adds the
// token to requests to the server's origin and to no others. When the server
// answers 401 or 403 it reads the challenge, finds the authorization server
// (protected resource metadata, then authorization server metadata, then the
// places of 2025-03-26), gets a token in the way that [Options] allow, and sends
// the request again. Exchanges with token endpoints are those of
// golang.org/x/oauth2; what is here is MCP's discovery and policy.
//
// The rules it holds to:
//
//   - Metadata is fetched, and credentials are sent, over https; over http only
//     between a server and an authorization server that are both on this machine.
//   - What a server names is never closer than the server itself: metadata of a
//     public server leads to no private or loopback address (see guard.go).
//   - Metadata whose issuer or resource is not the one it was looked up for, and
//     answers whose state or iss is not that of the attempt, are refused.
//   - Nothing secret is in an error. Every secret that comes into being is given
//     to [Options].Hide first.
//   - Nobody is asked for anything unless [Options].Login is set.
//
// A [Store] keeps credentials between runs. It is a store of bytes: what is in
// them is this package's business.
package auth
