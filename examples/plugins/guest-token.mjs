// Authenticates guests: EXAMPLE_GUEST_TOKEN grants read access to chats, and with EXAMPLE_GUEST_ROLE=member write access.
// With EXAMPLE_GUEST_PORT guests get a separate listener that serves only these routes.
import { createHash, timingSafeEqual } from 'node:crypto';

export const manifest = {
  name: 'guest-token',
  config: {
    type: 'object',
    properties: {
      token: {
        type: 'string',
        env: 'EXAMPLE_GUEST_TOKEN',
        secret: true,
        title: 'Guest token',
        description: 'The token of the guest; nobody is let in without it.',
      },
      role: {
        enum: ['viewer', 'member'],
        default: 'viewer',
        env: 'EXAMPLE_GUEST_ROLE',
        title: 'Role of the guest',
        description: 'A viewer reads, a member also sends messages.',
      },
      port: {
        type: 'integer',
        minimum: 0,
        maximum: 65_535,
        env: 'EXAMPLE_GUEST_PORT',
        title: 'Port of the guest',
        description: 'A further port on this machine, for guests only; 0 takes a free one.',
      },
    },
  },
};

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  const { token, role, port } = registry.config;
  const rights = { role, areas: ['chats'] };
  if (!token) return;
  const expected = digest(token);
  registry.add('token_source', {
    name: 'guest token',
    identify(given) {
      return timingSafeEqual(digest(given), expected) ? { kind: 'guest', id: 'example', name: 'Guest', ...rights } : undefined;
    },
    isSetUp: () => false,
  });
  if (port === undefined) return;
  registry.add('listener', { host: '127.0.0.1', port, ceiling: rights, opened: ({ url }) => registry.log.info(`guests are at ${url}`) });
}

/** @param {string} text */
function digest(text) {
  return createHash('sha256').update(text).digest();
}
