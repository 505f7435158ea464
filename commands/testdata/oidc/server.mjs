// A certified authorization server (oidc-provider) that approves by itself, and a
// small MCP server that it protects: server.mjs MODULES ADDRFILE [KEYFILE]
//
// MODULES is the node_modules directory with oidc-provider. The URL of the MCP
// server is written to ADDRFILE; KEYFILE has the public JWK of the client
// "robot-key".
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const [, , modules, addrFile, keyFile] = process.argv
const require = createRequire(modules + '/')
const { Provider } = await import(pathToFileURL(require.resolve('oidc-provider')))

const listen = (handler) => new Promise((resolve) => {
  const server = createServer(handler)
  server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`))
})

let auth, mcp
const issuer = await listen((req, res) => auth(req, res))
const origin = await listen((req, res) => mcp(req, res))
const resource = origin + '/mcp'

const clients = [{
  client_id: 'robot', client_secret: 'a-secret-of-the-robot', grant_types: ['client_credentials'],
  redirect_uris: [], response_types: [],
}]
if (keyFile) {
  clients.push({
    client_id: 'robot-key', token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [JSON.parse(readFileSync(keyFile))] },
    grant_types: ['client_credentials'], redirect_uris: [], response_types: [],
  })
}

const provider = new Provider(issuer, {
  clients,
  scopes: ['openid', 'offline_access'],
  findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  rotateRefreshToken: true,
  issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  cookies: { keys: ['for tests alone'] },
  features: {
    devInteractions: { enabled: false },
    registration: { enabled: true },
    revocation: { enabled: true },
    clientCredentials: { enabled: true },
    deviceFlow: { enabled: true },
    dPoP: { enabled: true, nonceSecret: Buffer.alloc(32, 7), requireNonce: () => true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_ctx, indicator) => {
        if (indicator !== resource) throw new Error('unknown resource')
        return { scope: 'mcp:read mcp:write', audience: resource, accessTokenTTL: 600, accessTokenFormat: 'opaque' }
      },
    },
  },
})
for (const event of ['server_error', 'authorization.error', 'grant.error', 'registration_create.error', 'revocation.error']) {
  provider.on(event, (_ctx, err) => console.error(event, err.message, err.error_detail ?? err.error_description ?? err.stack))
}

let logins = 0
let refreshes = 0
const tokens = new Set()
provider.on('access_token.saved', (token) => tokens.add(token.jti))
provider.on('client_credentials.saved', (token) => tokens.add(token.jti))
provider.on('refresh_token.consumed', () => refreshes++)

const callback = provider.callback()
auth = async (req, res) => {
  if (!req.url.startsWith('/interaction/')) return callback(req, res)
  const details = await provider.interactionDetails(req, res)
  if (details.prompt.name === 'login') {
    return provider.interactionFinished(req, res, { login: { accountId: 'somebody' } })
  }
  logins++
  const grant = new provider.Grant({ accountId: details.session.accountId, clientId: details.params.client_id })
  const missing = details.prompt.details
  grant.addOIDCScope([...(missing.missingOIDCScope ?? []), 'openid', 'offline_access'].join(' '))
  for (const [indicator, scopes] of Object.entries(missing.missingResourceScopes ?? {})) {
    grant.addResourceScope(indicator, scopes.join(' '))
  }
  return provider.interactionFinished(req, res, { consent: { grantId: await grant.save() } })
}

// approve does what a person does on another device: it opens the page, confirms
// the code, and logs in.
const approve = async (page) => {
  const jar = new Map()
  const visit = async (url, form) => {
    const res = await fetch(url, {
      method: form ? 'POST' : 'GET', body: form && new URLSearchParams(form), redirect: 'manual',
      headers: { Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    for (const cookie of res.headers.getSetCookie()) {
      const [pair] = cookie.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const to = res.headers.get('Location')
    return to ? visit(new URL(to, url)) : res.text()
  }
  const field = (html, name) => html.match(new RegExp(`name="${name}"[^>]*value="([^"]*)"`))?.[1]
  let html = await visit(page)
  for (const extra of [{}, { confirm: 'yes' }]) {
    const code = field(html, 'user_code') ?? new URL(page).searchParams.get('user_code')
    const xsrf = field(html, 'xsrf')
    if (!xsrf) break
    html = await visit(`${issuer}/device`, { xsrf, user_code: code, ...extra })
  }
  return html
}

// The MCP server asks the authorization server about tokens in process.
const json = (res, status, body, headers = {}) => {
  res.writeHead(status, { 'Content-Type': 'application/json', ...headers })
  res.end(JSON.stringify(body))
}
mcp = async (req, res) => {
  let body = ''
  for await (const chunk of req) body += chunk
  switch (req.url) {
    case '/.well-known/oauth-protected-resource/mcp':
      return json(res, 200, { resource, authorization_servers: [issuer], scopes_supported: ['mcp:read'] })
    case '/counts':
      return json(res, 200, { logins, refreshes })
    case '/expire': // all access tokens, without the clients knowing
      tokens.clear()
      return json(res, 200, {})
    case '/mcp':
      break
    default:
      if (req.url.startsWith('/approve?')) {
        res.writeHead(200, { 'Content-Type': 'text/html' })
        return res.end(await approve(new URL(req.url, origin).searchParams.get('url')))
      }
      return json(res, 404, {})
  }
  const challenge = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
  const [scheme, value] = (req.headers.authorization ?? '').split(' ')
  const token = value && (await provider.AccessToken.find(value) ?? await provider.ClientCredentials.find(value))
  const bound = token?.jkt !== undefined
  if (!token?.isValid || !tokens.has(token.jti) || token.aud !== resource || scheme !== (bound ? 'DPoP' : 'Bearer') || (bound && !req.headers.dpop)) {
    return json(res, 401, {}, { 'WWW-Authenticate': `Bearer ${challenge}, scope="mcp:read"` })
  }
  const message = JSON.parse(body || '{}')
  const need = message.method === 'tools/call' ? 'mcp:write' : 'mcp:read'
  if (!(token.scope ?? '').split(' ').includes(need)) {
    return json(res, 403, {}, { 'WWW-Authenticate': `Bearer ${challenge}, error="insufficient_scope", scope="${need}"` })
  }
  const answer = (result) => json(res, 200, { jsonrpc: '2.0', id: message.id, result })
  switch (message.method) {
    case 'initialize':
      return answer({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'protected', version: '1' } })
    case 'tools/list':
      return answer({ tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] })
    case 'tools/call':
      return answer({ content: [{ type: 'text', text: token.accountId ?? token.clientId }] })
    case undefined:
    case 'notifications/initialized':
      res.writeHead(202)
      return res.end()
    default:
      return json(res, 200, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'unknown method' } })
  }
}

writeFileSync(addrFile + '.new', resource + '\n')
renameSync(addrFile + '.new', addrFile)
