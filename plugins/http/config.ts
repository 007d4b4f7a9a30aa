// Defines the settings of the HTTP server.
import * as Type from 'typebox';
import { normalizeProxy } from '#lib/setting-texts';

/** Name of the environment variable that lists additional host names of the server. */
export const hostsVariable = 'AGENT_WEB_ALLOWED_HOSTS';

const proxy = (env: string, what: string) =>
  Type.String({
    default: '',
    env,
    mustFit: true,
    normalize: normalizeProxy,
    title: `Proxy for ${what}`,
    description: `Address of an HTTP proxy for outgoing requests to ${what} addresses. The lower-case variable takes precedence. Loopback addresses never use a proxy.`,
    // The value may contain a password.
    secret: true,
    apply: 'restart',
  });
const exceptions = (env: string) =>
  Type.String({
    default: '',
    env,
    title: 'Hosts without a proxy',
    description:
      'Comma-separated host names (including their subdomains), addresses and networks such as 10.0.0.0/8 that are reached without a proxy. * means all hosts.',
    apply: 'restart',
  });

/** Variables that `lib/proxies` reads from the environment. They are declared here so that their values are validated and documented. */
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
    description: 'Port on which the server listens. 0 selects a free port.',
    apply: 'restart',
  }),
  webToken: Type.Optional(
    Type.String({
      env: 'AGENT_WEB_TOKEN',
      secret: true,
      title: 'Web token',
      description: 'Token that every request must contain. Replaces the generated token in the home folder.',
      apply: 'restart',
    }),
  ),
  bindHost: Type.String({
    default: '127.0.0.1',
    env: 'AGENT_WEB_BIND_HOST',
    title: 'Bind address',
    description: 'Address on which the server listens. An address that other machines can reach requires AGENT_WEB_TOKEN or a paired device.',
    apply: 'restart',
  }),
  corsOrigins: Type.String({
    default: '',
    env: 'AGENT_WEB_CORS_ORIGINS',
    title: 'Allowed origins',
    description: 'Comma-separated additional origins, such as https://example.org, whose pages may call the server. They still need the token.',
    apply: 'live',
  }),
  attemptsPerMinute: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 1_000_000,
    env: 'AGENT_WEB_ATTEMPTS_PER_MINUTE',
    title: 'Failed attempts per minute',
    description:
      'Maximum number of wrong tokens or codes per minute from one address. Further attempts must wait. Increase it if many people share an address.',
    apply: 'live',
  }),
  allowedHosts: Type.String({
    default: '',
    env: hostsVariable,
    title: 'Allowed host names',
    description: 'Comma-separated additional host names of the server, for example of a proxy or in the local network.',
    apply: 'live',
  }),
});
