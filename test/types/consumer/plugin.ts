// Plugin of a package consumer, type-checked against the packed tarball.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/tools';
import type {} from 'agent-harness/plugins/chats';

declare module 'agent-harness/kernel' {
  interface Services {
    greeter: { greet(name: string): string };
  }
  interface Events {
    greeted: { readonly name: string };
  }
}

export const manifest = {
  name: 'greeter',
  requires: ['chats'],
  optional: ['turns'],
  provides: ['greeter'],
  events: ['greeted'],
  config: Type.Object({ warmth: Type.Integer({ default: 5, minimum: 1, maximum: 10, env: 'GREETER_WARMTH' }) }),
  errors: { TOO_COLD: { message: 'Too cold for {name}.', status: 409 } },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const warmth: number = registry.config.warmth;
  registry.provide('greeter', () => ({ greet: (name) => `${'!'.repeat(warmth)} ${name}` }));
  registry.add('tool', {
    name: 'greet',
    description: 'Greets.',
    input: Type.Object({ name: Type.String() }),
    effects: ['read'],
    run: ({ name }: { name: string }) => `hello ${name}`,
  });
  emitter.emit('greeted', { name: 'you' });
  emitter.tap('prompt.build', (prompt, turn) => ({ ...prompt, system: [...prompt.system, { id: 'greeter', text: turn.chatId }] }));
  void registry.services.chats.activeId;

  // @ts-expect-error -- optional services may be undefined
  void registry.services.turns.isBusy;
  // @ts-expect-error -- undeclared services are not there
  void registry.services.models;
  // @ts-expect-error -- a misspelt point
  registry.add('tools', {});
  // @ts-expect-error -- a misspelt event
  emitter.emit('greeting', {});
  // @ts-expect-error -- a wrong payload
  emitter.emit('greeted', { nam: 'you' });
  // @ts-expect-error -- a misspelt hook
  emitter.tap('prompt.built', () => undefined);
  // @ts-expect-error -- an error that the manifest does not list
  registry.error('TOO_WARM');
  // @ts-expect-error -- a service that the manifest does not provide
  registry.provide('chats', () => undefined);
}
