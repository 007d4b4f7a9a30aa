// Creates a complete persona from a sentence (profile, sections and the artifacts of plugins), without activating it.
import type { PersonaProfile } from '../contract.ts';
import type { PersonaParts } from '../persona-parts.ts';
import { makeArtifacts } from './artifacts.ts';
import { createAsking, type Asking } from './ask-model.ts';
import { createPreview, fieldSoFar } from './previews.ts';
import { profileByRules, profileIn } from './profile.ts';
import { dataText, profileQuestion } from './questions.ts';
import { makeSoul, type Soul } from './soul.ts';
import type { ReportProgress } from './report-progress.ts';

export interface MadePersona extends Soul {
  readonly profile: PersonaProfile;
  readonly artifacts: Readonly<Record<string, unknown>>;
}

/** Creates a persona. Rejects only when the signal is aborted. */
export async function makePersona(parts: PersonaParts, input: string, told: ReportProgress, signal: AbortSignal): Promise<MadePersona> {
  // Drops delayed progress reports after the run has ended.
  const reportProgress: ReportProgress = (progress) => (signal.aborted ? undefined : told(progress));
  const isOffline = (await parts.services.models.routeNow()).wire === 'demo';
  const asking = isOffline ? {} : { asking: createAsking(parts) };
  reportProgress({ stage: 'profile', artifact: 'profile' });
  const { profile, notice } = await inferProfile(parts, asking.asking, input, reportProgress, signal);
  reportProgress({ stage: 'soul' });
  const making = { parts, ...asking, input, profile, tell: reportProgress, signal };
  const soul = makeSoul(making);
  reportProgress({ stage: 'artifacts' });
  const [{ slices, notices }, artifacts] = await Promise.all([soul, makeArtifacts(making)]);
  signal.throwIfAborted();
  return { profile, slices, artifacts, notices: [...new Set([...(notice === undefined ? [] : [notice]), ...notices])] };
}

async function inferProfile(
  parts: PersonaParts,
  asking: Asking | undefined,
  input: string,
  reportProgress: ReportProgress,
  signal: AbortSignal,
): Promise<{ readonly profile: PersonaProfile; readonly notice?: string }> {
  const byRules = profileByRules(input);
  if (!asking) return { profile: byRules };
  const preview = createPreview(parts, reportProgress, 'profile', 'profile');
  let profile: PersonaProfile | undefined;
  const notice = await asking.ask(
    {
      ...{ system: profileQuestion, text: dataText(input), maxTokens: 500 },
      onText: (text) => preview.show(() => fieldSoFar(text, 'summary') ?? fieldSoFar(text, 'label') ?? ''),
      judge(answer) {
        profile = profileIn(answer, byRules);
        return profile ? undefined : '"label" and "summary" are missing, or hold what must not be there';
      },
    },
    signal,
  );
  preview.end();
  return { profile: profile ?? byRules, ...(notice === undefined ? {} : { notice }) };
}
