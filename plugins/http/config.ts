// The variables of the HTTP server.
import * as Type from 'typebox';

/** By which further names the server may be asked for. */
export const hostsVariable = 'AGENT_WEB_ALLOWED_HOSTS';

export const config = Type.Object({
  port: Type.Integer({
    default: 3001,
    minimum: 0,
    maximum: 65_535,
    env: 'PORT',
    mustFit: true,
    title: 'Port',
    description: 'The port that the server listens on; 0 takes a free one.',
    apply: 'restart',
  }),
  webToken: Type.Optional(
    Type.String({
      env: 'AGENT_WEB_TOKEN',
      secret: true,
      title: 'Web token',
      description: 'The token that every request must carry, instead of the one that is made and kept in the home folder.',
      apply: 'restart',
    }),
  ),
  bindHost: Type.String({
    default: '127.0.0.1',
    env: 'AGENT_WEB_BIND_HOST',
    title: 'Bind address',
    description: 'The address that the server listens on. One that other machines can reach needs AGENT_WEB_TOKEN or a paired device.',
    apply: 'restart',
  }),
  corsOrigins: Type.String({
    default: '',
    env: 'AGENT_WEB_CORS_ORIGINS',
    title: 'Allowed origins',
    description: 'Comma list of further origins, like https://example.org, whose pages may call the server. They still need the token.',
    apply: 'live',
  }),
  attemptsPerMinute: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 1_000_000,
    env: 'AGENT_WEB_ATTEMPTS_PER_MINUTE',
    title: 'Attempts a minute',
    description: 'How many wrong tokens or codes an address may send in a minute before it has to wait. More where many people share an address.',
    apply: 'live',
  }),
  allowedHosts: Type.String({
    default: '',
    env: hostsVariable,
    title: 'Allowed host names',
    description: 'Comma list of further names under which the server may be reached, for a proxy or a name in the local network.',
    apply: 'live',
  }),
});
