// Creates the sections of a character with one model call, with four parallel calls, or by rules.
import { stripHidden } from '#lib/hidden-text';
import { isRecord } from '#lib/values';
import type { MadeSlice, PersonaProfile, SliceSource } from '../contract.ts';
import { fitTokens, madeSlices, maxTokens, tidyText, tokensIn } from '../store/slices.ts';
import type { PersonaParts } from '../persona-parts.ts';
import type { Asking } from './ask-model.ts';
import { createPreview, fieldSoFar } from './previews.ts';
import { dataText, soulQuestion } from './questions.ts';
import { scaffoldSlice } from './scaffold.ts';
import { whyUnsafe } from './unsafe-text.ts';
import type { ReportProgress } from './report-progress.ts';

export interface Soul {
  readonly slices: Readonly<Record<MadeSlice, { readonly text: string; readonly source: SliceSource }>>;
  /** Reasons why parts were created without the model; contains no duplicates. */
  readonly notices: readonly string[];
}

/** A text that exceeds its limit by up to this factor is truncated at a sentence; a longer text is rejected. */
const mostOverrun = 1.7;

export interface SoulMaking {
  readonly parts: PersonaParts;
  /** Omitted if no model call may be made. */
  readonly asking?: Asking;
  readonly input: string;
  readonly profile: PersonaProfile;
  readonly tell: ReportProgress;
  readonly signal: AbortSignal;
}

/** Creates the sections. Rejects only when the signal is aborted. */
export async function makeSoul({ parts, asking, input, profile, tell, signal }: SoulMaking): Promise<Soul> {
  const written = new Map<MadeSlice, string>();

  async function askFor(names: readonly MadeSlice[]): Promise<readonly string[]> {
    const previews = names.map((name) => ({ name, preview: createPreview(parts, tell, 'soul', name) }));
    const notice = await asking?.ask(
      {
        ...{ system: soulQuestion(names), text: dataText(input, profile), maxTokens: 400 * names.length },
        onText(text) {
          // The first text from the model counts as progress, whatever its content.
          for (const { name, preview } of previews) preview.show(() => fieldSoFar(text, name) ?? (name === names[0] ? '' : undefined));
        },
        judge: (answer) => take(answer, names),
      },
      signal,
    );
    for (const { preview } of previews) preview.end();
    return notice === undefined ? [] : [notice];
  }

  /** Stores usable sections; returns the problems, for the model. */
  function take(answer: unknown, names: readonly MadeSlice[]): string | undefined {
    const fields = isRecord(answer) ? answer : {};
    const problems = names.flatMap((name) => {
      const text = fields[name];
      const why = typeof text === 'string' ? whyRefused(name, stripHidden(text)) : 'it is missing';
      if (why === undefined) written.set(name, fitSentences(tidyText(stripHidden(String(text))), maxTokens[name]));
      return why === undefined || written.has(name) ? [] : [`"${name}": ${why}`];
    });
    return problems.length === 0 ? undefined : problems.join('; ');
  }

  const groups = !asking || parts.config.soulMode === 'scaffold' ? [] : parts.config.soulMode === 'parallel' ? madeSlices.map((name) => [name]) : [madeSlices];
  const notices = (await Promise.all(groups.map(askFor))).flat();
  const slices = madeSlices.map((name): [MadeSlice, { text: string; source: SliceSource }] => {
    const text = written.get(name);
    return [name, text === undefined ? { text: scaffoldSlice(name, profile), source: 'scaffold' } : { text, source: 'model' }];
  });
  return { slices: Object.fromEntries(slices) as unknown as Soul['slices'], notices: [...new Set(notices)] };
}

function whyRefused(name: MadeSlice, text: string): string | undefined {
  if (text.trim() === '') return 'it is empty';
  if (text.length > 20_000 || tokensIn(text) > maxTokens[name] * mostOverrun) return 'it is too long';
  return whyUnsafe(text);
}

/** Returns as many whole sentences as fit. */
function fitSentences(text: string, most: number): string {
  if (tokensIn(text) <= most) return text;
  const cut = fitTokens(text, most);
  const end = Math.max(...['.', '!', '?', '。', '\n'].map((sign) => cut.lastIndexOf(sign)));
  return end > cut.length / 2 ? cut.slice(0, end + 1).trim() : cut;
}
