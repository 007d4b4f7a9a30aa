// A build service writes to the agent: POST /api/hooks/build, signed over the very bytes of its body with EXAMPLE_HOOK_SECRET.
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
  errors: { FORBIDDEN: { message: 'The signature is wrong.', status: 403 } },
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
    schema: { reply: { type: 'object', properties: { turnId: { type: 'string' } }, required: ['turnId'] } },
    async handle({ body, headers }) {
      const given = Buffer.from(String(headers['x-signature'] ?? ''));
      const expected = Buffer.from(
        `sha256=${createHmac('sha256', config.secret ?? '')
          .update(body)
          .digest('hex')}`,
      );
      if (!config.secret || given.length !== expected.length || !timingSafeEqual(given, expected)) throw registry.error('FORBIDDEN');
      const { turnId } = await services.turns.submit({ text: `A build says: ${body.toString()}`, whenBusy: 'queue', principal: builds });
      return { turnId };
    },
  });
}
