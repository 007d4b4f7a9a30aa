// Defines the providers for hosted connections as data, with references to their documentation.
import type { ConnectProvider } from './contract.ts';

const googleScope = (name: string): string => `https://www.googleapis.com/auth/${name}`;
const identity = ['openid', 'email', 'profile'];

// developers.google.com/identity/protocols/oauth2/web-server (offline access, revoking), …/protocols/oauth2/scopes, …/openid-connect (userinfo).
const google = {
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  clientAuth: 'body',
  tokenBody: 'form',
  // Only the first consent returns a refresh token unless a prompt is requested.
  extra: { access_type: 'offline', prompt: 'consent select_account' },
  hasPkce: true,
  account: { request: { url: 'https://openidconnect.googleapis.com/v1/userinfo' }, accountId: 'sub', email: 'email', name: 'name' },
  revoke: { url: 'https://oauth2.googleapis.com/revoke', token: 'refresh', auth: 'none', field: 'token', body: 'form' },
} as const satisfies Partial<ConnectProvider>;

export const connectProviders: readonly ConnectProvider[] = [
  {
    ...google,
    id: 'google',
    title: 'Google Workspace',
    scopes: {
      read_write: [...identity, ...['gmail.modify', 'calendar', 'drive', 'documents', 'spreadsheets'].map(googleScope)],
      read_only: [...identity, ...['gmail', 'calendar', 'drive', 'documents', 'spreadsheets'].map((name) => googleScope(`${name}.readonly`))],
    },
  },
  {
    ...google,
    id: 'google-cloud',
    title: 'Google Cloud',
    scopes: { read_write: [...identity, googleScope('cloud-platform')], read_only: [...identity, googleScope('cloud-platform.read-only')] },
  },
  {
    ...google,
    id: 'youtube',
    title: 'YouTube',
    scopes: { read_write: [...identity, googleScope('youtube')], read_only: [...identity, googleScope('youtube.readonly')] },
  },
  // learn.microsoft.com/entra/identity-platform: v2-oauth2-auth-code-flow, refresh-tokens (each response contains the next one; none can be revoked);
  // learn.microsoft.com/graph/permissions-reference, …/graph/api/user-get.
  {
    id: 'microsoft',
    title: 'Microsoft 365',
    authorizeUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    clientAuth: 'body',
    tokenBody: 'form',
    scopes: {
      read_write: ['offline_access', 'User.Read', 'Mail.ReadWrite', 'Mail.Send', 'Calendars.ReadWrite', 'Files.ReadWrite.All'],
      read_only: ['offline_access', 'User.Read', 'Mail.Read', 'Calendars.Read', 'Files.Read.All'],
    },
    extra: { prompt: 'select_account' },
    hasPkce: true,
    account: { request: { url: 'https://graph.microsoft.com/v1.0/me' }, accountId: 'id', email: 'userPrincipalName', name: 'displayName' },
  },
  // docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps (PKCE, error codes), …/scopes-for-oauth-apps;
  // docs.github.com/apps/creating-github-apps/…/refreshing-user-access-tokens (for tokens that expire); docs.github.com/rest/apps/oauth-applications
  // (revoking).
  {
    id: 'github',
    title: 'GitHub',
    authorizeUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    clientAuth: 'body',
    tokenBody: 'form',
    // The scopes cannot express read-only access to private repositories, so read-only covers only public ones.
    scopes: { read_write: ['repo', 'read:user', 'user:email'], read_only: ['read:user', 'user:email'] },
    hasPkce: true,
    account: { request: { url: 'https://api.github.com/user' }, accountId: 'id', email: 'email', name: 'login' },
    revoke: {
      url: 'https://api.github.com/applications/{client_id}/token',
      method: 'DELETE',
      token: 'access',
      auth: 'client',
      field: 'access_token',
      body: 'json',
    },
  },
  // docs.slack.dev/authentication/installing-with-oauth (user_scope, authed_user), …/authentication/using-token-rotation (if enabled for the app);
  // docs.slack.dev/reference/methods: oauth.v2.access (Basic), auth.test, auth.revoke.
  {
    id: 'slack',
    title: 'Slack',
    authorizeUrl: 'https://slack.com/oauth/v2/authorize',
    tokenUrl: 'https://slack.com/api/oauth.v2.access',
    clientAuth: 'basic',
    tokenBody: 'form',
    scopes: {
      read_write: ['channels:read', 'channels:history', 'groups:read', 'groups:history', 'im:read', 'im:history', 'users:read', 'search:read', 'chat:write'],
      read_only: ['channels:read', 'channels:history', 'groups:read', 'groups:history', 'im:read', 'im:history', 'users:read', 'search:read'],
    },
    scopeField: 'user_scope',
    scopeSeparator: ',',
    hasPkce: false,
    tokensAt: 'authed_user',
    account: { request: { url: 'https://slack.com/api/auth.test', method: 'POST' }, accountId: 'user_id', name: 'team' },
    revoke: { url: 'https://slack.com/api/auth.revoke', token: 'access', auth: 'token' },
  },
  // linear.app/developers/oauth-2-0-authentication (scopes with commas, PKCE, refresh tokens, revoking).
  {
    id: 'linear',
    title: 'Linear',
    authorizeUrl: 'https://linear.app/oauth/authorize',
    tokenUrl: 'https://api.linear.app/oauth/token',
    clientAuth: 'body',
    tokenBody: 'form',
    scopes: { read_write: ['read', 'write'], read_only: ['read'] },
    scopeSeparator: ',',
    extra: { prompt: 'consent' },
    hasPkce: true,
    account: {
      request: { url: 'https://api.linear.app/graphql', method: 'POST', body: { query: '{ viewer { id name email } }' } },
      accountId: 'data.viewer.id',
      email: 'data.viewer.email',
      name: 'data.viewer.name',
    },
    revoke: { url: 'https://api.linear.app/oauth/revoke', token: 'refresh', auth: 'none', field: 'token', body: 'form' },
  },
  // developers.notion.com/reference: create-a-token, refresh-a-token (a new pair each time), revoke-token (Basic, JSON, with a version).
  {
    id: 'notion',
    title: 'Notion',
    authorizeUrl: 'https://api.notion.com/v1/oauth/authorize',
    tokenUrl: 'https://api.notion.com/v1/oauth/token',
    clientAuth: 'basic',
    tokenBody: 'json',
    // Access is configured in the integration at the provider; the service enforces read-only access.
    scopes: { read_write: [], read_only: [] },
    extra: { owner: 'user' },
    hasPkce: false,
    headers: { 'notion-version': '2022-06-28' },
    account: { accountId: 'bot_id', email: 'owner.user.person.email', name: 'workspace_name' },
    revoke: { url: 'https://api.notion.com/v1/oauth/revoke', token: 'access', auth: 'client', field: 'token', body: 'json' },
  },
  // developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/oauth-2.0 (realmId in the callback, only the newest refresh token is
  // valid, revocation with JSON); addresses from developer.api.intuit.com/.well-known/openid_configuration.
  {
    id: 'accounting',
    title: 'QuickBooks Online',
    authorizeUrl: 'https://appcenter.intuit.com/connect/oauth2',
    tokenUrl: 'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer',
    clientAuth: 'basic',
    tokenBody: 'form',
    // QuickBooks has a single scope; the service enforces read-only access.
    scopes: { read_write: ['com.intuit.quickbooks.accounting'], read_only: ['com.intuit.quickbooks.accounting'] },
    hasPkce: false,
    account: { accountId: 'realmId', isInCallback: true },
    revoke: { url: 'https://developer.api.intuit.com/v2/oauth2/tokens/revoke', token: 'refresh', auth: 'client', field: 'token', body: 'json' },
  },
];
