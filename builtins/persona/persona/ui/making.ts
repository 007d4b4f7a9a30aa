// What is known of a character that is being made: from the server's answer, and from its events since. Pure.
import { t, table } from '#page/kit/t.ts';

export interface Making {
  /** `asking`: nobody said anything yet. */
  readonly phase: 'asking' | 'making' | 'failed' | 'done';
  readonly stage: string;
  /** The parts that have begun, in that order, with their text so far. */
  readonly previews: readonly Preview[];
  readonly error?: string;
  /** Why parts of it were made without the model. */
  readonly notice?: string;
}

export interface Preview {
  readonly name: string;
  readonly text: string;
}

export const asking: Making = { phase: 'asking', stage: '', previews: [] };

/** @param event `persona_progress` */
export function afterProgress(making: Making, event: Readonly<Record<string, unknown>>): Making {
  const { stage, artifact, preview, error, notice } = event;
  if (typeof stage !== 'string') return making;
  if (stage === 'done') return { ...making, phase: 'done', stage, ...(typeof notice === 'string' ? { notice } : {}) };
  if (stage === 'failed') return { ...making, phase: 'failed', stage, ...(typeof error === 'string' ? { error } : {}) };
  // The first word of a new run: what the one before it showed is gone.
  const previews = making.phase === 'making' ? making.previews : [];
  return {
    phase: 'making',
    stage,
    previews: typeof artifact === 'string' ? withPreview(previews, artifact, typeof preview === 'string' ? preview : undefined) : previews,
  };
}

/** What the server answers about a run: its end may have been told while nobody listened. */
export function afterReading(
  making: Making,
  { state, input, stage = '', error, notice }: { state: string; input?: string; stage?: string; error?: string; notice?: string },
): Making {
  if (state === 'running')
    return making.phase === 'making' ? { ...making, stage: stage === '' ? making.stage : stage } : { phase: 'making', stage, previews: [] };
  if (making.phase !== 'making') return making;
  if (state === 'done' && input === undefined) return { ...making, phase: 'done', ...(notice === undefined ? {} : { notice }) };
  return { ...making, phase: 'failed', error: error ?? t('It was cut off before it was made.') };
}

/** An event comes again after an interruption, and an old one may come late: what is longer stays, unless it is begun anew. */
function withPreview(previews: readonly Preview[], name: string, text: string | undefined): readonly Preview[] {
  const known = previews.find((one) => one.name === name);
  if (!known) return [...previews, { name, text: text ?? '' }];
  return text === undefined ? previews : previews.map((one) => (one.name === name ? { name, text } : one));
}

const titles: Readonly<Record<string, string>> = table({
  profile: 'Who it is',
  identity: 'Identity',
  voice: 'Voice',
  stance: 'Stance',
  rails: 'Rails',
  living: 'What it learned about you',
  ui_theme: 'Look',
});

/** Of a part, for people. */
export const titleOf = (name: string): string => titles[name] ?? name.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase());

export function stageWords(stage: string): string {
  if (stage === 'profile') return t('Reading what you wrote…');
  if (stage === 'soul') return t('Writing its character…');
  if (stage === 'artifacts') return t('Choosing its look…');
  if (stage === 'apply') return t('Putting it in place…');
  return t('Getting ready…');
}

/** What a model writes is JSON while it comes: its words without its marks. */
export function readablePreview(text: string): string {
  if (!/^\s*(?:```\w*\s*)?\{/.test(text)) return text;
  return text
    .replace(/^\s*```\w*\s*|```\s*$/g, '')
    .replaceAll(/\\n/g, '\n')
    .replaceAll(/\\"/g, '”')
    .replaceAll(/^[\s{]+|[\s}]+$/g, '')
    .replaceAll(/"(\w+)"\s*:\s*/g, (_, name: string) => `${name.replaceAll('_', ' ')}: `)
    .replaceAll(/["[\]{}]/g, '')
    .replaceAll(/,\s*\n?/g, ', ')
    .replaceAll(/,\s*(?=[\w ]{1,24}: )/g, '\n');
}
