// A plugin in TypeScript: a manifest with settings and errors, a service for other plugins, a custom event and a route.
// Build it to `typed-plugin.mjs` with any bundler (the package provides only types) and copy the result into the plugin folder.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type { Route } from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/agent';

export interface TurnCounter {
  /** Turns finished since the start. */
  readonly turns: number;
}

declare module 'agent-harness/kernel' {
  interface Services {
    turnCounter: TurnCounter;
  }
  interface Events {
    turn_milestone: { readonly turns: number };
  }
}

export const manifest = {
  name: 'typed-plugin',
  requires: ['turns'],
  provides: ['turnCounter'],
  events: ['turn_milestone'],
  config: Type.Object({
    every: Type.Integer({
      default: 10,
      minimum: 1,
      maximum: 1000,
      env: 'EXAMPLE_MILESTONE_EVERY',
      tab: 'advanced',
      title: 'Turns to a milestone',
      description: 'After how many turns the event turn_milestone is sent.',
      apply: 'live',
    }),
  }),
  errors: { TOO_FEW: { message: 'Only {turns} turns have ended; ask again later.', status: 409 } },
} as const satisfies PluginManifest;

const milestone = { reply: Type.Object({ turns: Type.Integer(), next: Type.Integer() }) };

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  let turns = 0;
  emitter.on('turn_end', () => {
    turns++;
    if (turns % registry.config.every === 0) emitter.emit('turn_milestone', { turns });
  });
  registry.provide('turnCounter', () => ({
    get turns() {
      return turns;
    },
  }));
  registry.add('route', {
    key: 'GET /api/milestone',
    summary: 'How many turns have ended, and when the next milestone is.',
    tag: 'examples',
    schema: milestone,
    handle() {
      if (turns === 0) throw registry.error('TOO_FEW', { turns });
      const { every } = registry.config;
      return { turns, next: Math.ceil((turns + 1) / every) * every };
    },
  } satisfies Route<typeof milestone>);
}
