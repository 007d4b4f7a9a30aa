// Creates the artifacts of plugins for a persona. Each plugin creates its own artifact, which is validated; if that fails, fixed rules are used.
import { messageOf } from '#lib/errors';
import type { PersonaArtifact, PersonaProfile } from '../contract.ts';
import type { PersonaParts } from '../persona-parts.ts';
import type { Asking } from './ask-model.ts';
import { createPreview } from './previews.ts';
import type { ReportProgress } from './report-progress.ts';

export interface ArtifactsMaking {
  readonly parts: PersonaParts;
  /** Omitted if no model call may be made. */
  readonly asking?: Asking;
  readonly input: string;
  readonly profile: PersonaProfile;
  readonly tell: ReportProgress;
  readonly signal: AbortSignal;
}

/** Returns artifacts by name. Rejects only when the signal is aborted. */
export async function makeArtifacts(making: ArtifactsMaking): Promise<Readonly<Record<string, unknown>>> {
  const made = await Promise.all(making.parts.artifacts.list().map(async (artifact) => [artifact.name, await makeOne(artifact, making)] as const));
  return Object.fromEntries(made.filter(([, value]) => value !== undefined));
}

async function makeOne(artifact: PersonaArtifact, { parts, asking, input, profile, tell, signal }: ArtifactsMaking): Promise<unknown> {
  const preview = createPreview(parts, tell, 'artifacts', artifact.name);
  try {
    const value = await artifact.make({
      ...{ profile, input, signal, isOffline: asking === undefined },
      async ask({ system, text, maxTokens }) {
        let found: unknown;
        await asking?.ask({ system, text, maxTokens, onText: (so) => preview.show(() => so), judge: (answer) => void (found = answer) }, signal);
        preview.end();
        return found;
      },
    });
    const checked = artifact.check(value);
    if (typeof checked !== 'string') return checked.value;
    parts.log.warn(`${artifact.name} of the persona is created by fixed rules: ${checked}`);
  } catch (fault) {
    signal.throwIfAborted();
    parts.log.warn(`${artifact.name} of the persona is created by fixed rules: ${messageOf(fault)}`);
  }
  const plain = artifact.check(artifact.scaffold(profile, input));
  return typeof plain === 'string' ? undefined : plain.value;
}
