// Defines the settings of the HTTP server.
import * as Type from 'typebox';
import { normalizeProxy } from '#lib/setting-texts';

/** Variable of additional host names of the server. */
export const hostsVariable = 'AGENT_WEB_ALLOWED_HOSTS';

const proxy = (env: string, what: string) =>
  Type.String({
    default: '',
    env,
    mustFit: true,
    normalize: normalizeProxy,
    title: `Proxy for ${what}`,
    description: `Address of an HTTP proxy for outgoing requests to ${what} addresses. The lower-case name goes first. Loopback is always direct.`,
    // The value may contain a password.
    secret: true,
    apply: 'restart',
  });
const exceptions = (env: string) =>
  Type.String({
    default: '',
    env,
    title: 'Hosts without a proxy',
    description: 'Comma list of names (with their subdomains), addresses and networks such as 10.0.0.0/8 that are reached without a proxy; * is all.',
    apply: 'restart',
  });

/** `lib/proxies` reads these variables from the environment; they are declared here so that their values are validated and documented. */
const proxies = {
  httpProxy: proxy('HTTP_PROXY', 'http'),
  httpProxyLower: proxy('http_proxy', 'http'),
  httpsProxy: proxy('HTTPS_PROXY', 'https'),
  httpsProxyLower: proxy('https_proxy', 'https'),
  allProxy: proxy('ALL_PROXY', 'http and https'),
  allProxyLower: proxy('all_proxy', 'http and https'),
  noProxy: exceptions('NO_PROXY'),
  noProxyLower: exceptions('no_proxy'),
};

export const config = Type.Object({
  ...proxies,
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
    description: 'How many wrong tokens or codes an address may send in a minute before it has to wait. Raise it if many people share an address.',
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
