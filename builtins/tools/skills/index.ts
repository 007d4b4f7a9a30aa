// Registers skills, which give the model the instructions and skills of workspaces that the user trusts.
import { lazy } from '#lib/async';
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/tools/skills';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/tools';
import type {} from 'agent-harness/plugins/trust';
import { createAddedSkills } from './added-skills.ts';
import { createSkillsRoute } from './skills-route.ts';
import { subjectName } from './subject-name.ts';

export const manifest = { name: 'skills', requires: ['chats'], optional: ['trust'] } as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const added = createAddedSkills();
  registry.point('skill_root', added.point);
  const load = lazy(() => import('./workspace-skills.ts').then(({ createWorkspaceSkills }) => createWorkspaceSkills(() => registry.services.trust, added)));

  registry.add('trust_subject', { name: subjectName, find: async (workspaceRoot) => (await load()).find(workspaceRoot) });
  registry.add('route', createSkillsRoute(load, registry.services.chats));
  registry.add('tool', {
    name: 'use_skill',
    description: 'Returns the text of a skill and the names of its files.',
    input: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the skill.' }),
        file: Type.Optional(Type.String({ maxLength: 1_000, description: 'One of its files instead.' })),
      },
      { additionalProperties: false },
    ),
    effects: ['read'],
    undo: 'none',
    replay: 'pure',
    load: async () => (await load()).useSkill,
  });
  emitter.tap('server.idle', async () => void (await load()));
  emitter.tap('prompt.build', async (prompt, turn) => (await load()).addTo(prompt, turn));
  emitter.tap('tool.after', async (_, call) => (await load()).recordCall(call));
}
