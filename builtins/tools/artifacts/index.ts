// Registers artifacts: outputs too large for a tool result, which the model and clients read in parts.
import * as Type from 'typebox';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/tools';
import { artifactRoute } from './artifact-route.ts';
import { createReadArtifact } from './read-artifact.ts';

export const manifest = {
  name: 'artifacts',
  requires: ['artifacts', 'chats'],
  errors: { NOT_FOUND: { message: "This chat has no artifact '{id}'. Check the id.", status: 404 } },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  registry.add('tool', {
    name: 'read_artifact',
    display: {
      icon: 'archive',
      subject: ({ id, startLine }: { id: string; startLine?: number }) => `${id.slice(0, 12)}${startLine === undefined ? '' : `, from line ${startLine}`}`,
    },
    description: 'Reads lines of a tool output that was shortened. A line over 4,000 characters counts as several.',
    input: Type.Object(
      {
        id: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'The id at the end of the shortened output.' }),
        startLine: Type.Optional(Type.Integer({ minimum: 1 })),
        endLine: Type.Optional(Type.Integer({ minimum: 1 })),
      },
      { additionalProperties: false },
    ),
    effects: ['read'],
    replay: 'pure',
    isEveryday: true,
    traits: ['reads_artifacts'],
    run: createReadArtifact(registry.services),
  });
  registry.add(
    'route',
    artifactRoute(registry.services, (id) => registry.error('NOT_FOUND', { id })),
  );
}
