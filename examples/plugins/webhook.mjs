// Receives build results: POST /api/hooks/build {"name", "state", "log"?}, signed with EXAMPLE_HOOK_SECRET over the raw body.
// A failed build starts a turn. Any other build adds a line to the chat, which the agent reads in its next turn.
import { createHmac, timingSafeEqual } from 'node:crypto';

export const manifest = {
  name: 'webhook',
  requires: ['turns'],
  config: {
    type: 'object',
    properties: {
      secret: { type: 'string', env: 'EXAMPLE_HOOK_SECRET', secret: true, title: 'Secret of the webhook', description: 'Without it nothing is taken.' },
    },
  },
  errors: {
    FORBIDDEN: { message: 'The signature is wrong.', status: 403 },
    INVALID_REQUEST: { message: 'A build has a name and a state.', status: 400 },
  },
};

/** @type {import('agent-harness/plugins/http').Principal} */
const builds = { kind: 'service', id: 'builds', name: 'Build service', role: 'member', areas: ['chats'] };

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  const { services, config } = registry;
  registry.add('route', {
    key: 'POST /api/hooks/build',
    summary: 'Tells the agent of a build.',
    tag: 'examples',
    auth: 'open',
    bodyKind: 'raw',
    status: 202,
    schema: { reply: { type: 'object', properties: { messageId: { type: 'string' } }, required: ['messageId'] } },
    async handle({ body, headers }) {
      const given = Buffer.from(String(headers['x-signature'] ?? ''));
      const expected = Buffer.from(
        `sha256=${createHmac('sha256', config.secret ?? '')
          .update(body)
          .digest('hex')}`,
      );
      if (!config.secret || given.length !== expected.length || !timingSafeEqual(given, expected)) throw registry.error('FORBIDDEN');
      const { name, state, log } = read(body.toString());
      if (!name || !state) throw registry.error('INVALID_REQUEST');
      const text = `The build ${name} is ${state}.`;
      const origin = { plugin: 'webhook', reason: 'A build has ended.' };
      if (state !== 'failed') return services.turns.announce({ text, origin, isForModel: true, isUntrusted: true });
      // The log is external content, so the calls that follow it need the same approvals as after a web page.
      return services.turns.submit({ text: `${text} Find out why.\n${log}`, whenBusy: 'queue', principal: builds, origin, isUntrusted: true });
    },
  });
}

/** @param {string} text */
function read(text) {
  try {
    const { name = '', state = '', log = '' } = JSON.parse(text);
    return { name: String(name), state: String(state), log: String(log) };
  } catch {
    return { name: '', state: '', log: '' }; // not JSON
  }
}
