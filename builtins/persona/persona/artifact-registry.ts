// Implements the contribution point `persona_artifact`, which lets plugins create data together with a persona.
import type { PointHandler } from 'agent-harness/kernel';
import type { PersonaArtifact } from './contract.ts';

export interface ArtifactRegistry {
  readonly point: PointHandler<PersonaArtifact>;
  list(): readonly PersonaArtifact[];
  find(name: string): PersonaArtifact | undefined;
}

const taken = ['profile', 'manifest'];

export function createArtifactRegistry(): ArtifactRegistry {
  const artifacts = new Map<string, PersonaArtifact>();
  return {
    point: {
      validate({ name, make, scaffold, check }) {
        if (!/^[a-z][a-z0-9_]{0,39}$/.test(name) || taken.includes(name)) return `the name '${name}' of an artifact must be unique and in snake_case.`;
        if ([make, scaffold, check].some((one) => typeof one !== 'function')) return `the artifact '${name}' needs the functions make, scaffold and check.`;
        return artifacts.has(name) ? `an artifact '${name}' exists already.` : undefined;
      },
      added: (artifact) => void artifacts.set(artifact.name, artifact),
      removed: ({ name }) => void artifacts.delete(name),
    },
    list: () => [...artifacts.values()],
    find: (name) => artifacts.get(name),
  };
}
