// Runs the command line of a test control plane, and provides a route that returns the requesting member.
import * as Type from 'typebox';
import type { PluginModule, Registry } from 'agent-harness/kernel';
import { runPlaneCli, type Plane } from '../../../helpers/plane.ts';

export const runCli = (plane: Plane, ...argv: string[]): ReturnType<typeof runPlaneCli> => runPlaneCli(plane, argv);

/** Module for `startPlane` with the route `GET /test/who`. */
export const whoAsks = {
  manifest: { name: 'who-asks', requires: ['people'] } as const,
  register(registry: Registry<{ name: string; requires: readonly ['people'] }>): void {
    const { people } = registry.services;
    registry.add('route', {
      key: 'GET /test/who',
      summary: 'Who asks.',
      tag: 'test',
      permission: 'things.read',
      schema: { reply: Type.Unknown() },
      handle({ principal }) {
        const { person, org, role, via, entitlements } = people.member(principal);
        return { email: person.email, org: org.name, role, via, entitlements };
      },
    });
  },
} as unknown as PluginModule<never>;
