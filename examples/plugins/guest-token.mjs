// Lets a guest in: whoever has EXAMPLE_GUEST_TOKEN may read the chats, and with EXAMPLE_GUEST_ROLE=member write in them, but nothing else.
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
    },
  },
};

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  const { token, role } = registry.config;
  if (!token) return;
  const expected = digest(token);
  registry.add('token_source', {
    name: 'guest token',
    identify(given) {
      return timingSafeEqual(digest(given), expected) ? { kind: 'guest', id: 'example', name: 'Guest', role, areas: ['chats'] } : undefined;
    },
    isSetUp: () => false,
  });
}

/** @param {string} text */
function digest(text) {
  return createHash('sha256').update(text).digest();
}
