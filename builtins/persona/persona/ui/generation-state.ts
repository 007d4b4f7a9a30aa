// Tracks the creation of a persona from the server's reply and later events. Pure.
import { t, table } from '#page/kit/t.ts';

export interface Generation {
  /** Step of the setup; `asking`: no input yet. */
  readonly phase: 'asking' | 'making' | 'failed' | 'done';
  readonly stage: string;
  /** Parts whose creation has started, in order, with their text so far. */
  readonly previews: readonly Preview[];
  readonly error?: string;
  /** Reason why parts were created without the model. */
  readonly notice?: string;
}

export interface Preview {
  readonly name: string;
  readonly text: string;
}

export const asking: Generation = { phase: 'asking', stage: '', previews: [] };

/** Applies an event. @param event event of the kind `persona_progress` */
export function afterProgress(making: Generation, event: Readonly<Record<string, unknown>>): Generation {
  const { stage, artifact, preview, error, notice } = event;
  if (typeof stage !== 'string') return making;
  if (stage === 'done') return { ...making, phase: 'done', stage, ...(typeof notice === 'string' ? { notice } : {}) };
  if (stage === 'failed') return { ...making, phase: 'failed', stage, ...(typeof error === 'string' ? { error } : {}) };
  // The first update of a new run removes the texts of the previous run.
  const previews = making.phase === 'making' ? making.previews : [];
  return {
    phase: 'making',
    stage,
    previews: typeof artifact === 'string' ? withPreview(previews, artifact, typeof preview === 'string' ? preview : undefined) : previews,
  };
}

/** Applies the server's state of a run, because the event for its end may have been missed. */
export function afterReading(
  making: Generation,
  { state, input, stage = '', error, notice }: { state: string; input?: string; stage?: string; error?: string; notice?: string },
): Generation {
  if (state === 'running')
    return making.phase === 'making' ? { ...making, stage: stage === '' ? making.stage : stage } : { phase: 'making', stage, previews: [] };
  if (making.phase !== 'making') return making;
  if (state === 'done' && input === undefined) return { ...making, phase: 'done', ...(notice === undefined ? {} : { notice }) };
  return { ...making, phase: 'failed', error: error ?? t('The creation was interrupted.') };
}

/** Adds a preview. Keeps the longer text unless a part restarts, because events are repeated after an interruption and may arrive late. */
function withPreview(previews: readonly Preview[], name: string, text: string | undefined): readonly Preview[] {
  const known = previews.find((one) => one.name === name);
  if (!known) return [...previews, { name, text: text ?? '' }];
  return text === undefined ? previews : previews.map((one) => (one.name === name ? { name, text } : one));
}

const titles: Readonly<Record<string, string>> = table({
  profile: 'Profile',
  identity: 'Identity',
  voice: 'Voice',
  stance: 'Stance',
  rails: 'Rails',
  living: 'Learned preferences',
  ui_theme: 'Theme',
});

/** Title of a part, for users. */
export const titleOf = (name: string): string => titles[name] ?? name.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase());

export function stageWords(stage: string): string {
  if (stage === 'profile') return t('Reading your description…');
  if (stage === 'soul') return t('Writing the persona…');
  if (stage === 'artifacts') return t('Choosing the theme…');
  if (stage === 'apply') return t('Activating the persona…');
  return t('Preparing…');
}

/** Returns the words in a model's JSON without its syntax. */
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
