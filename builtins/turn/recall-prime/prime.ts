// Finds relevant notes for a turn within a short time limit, and adds them after the conversation.
import type { NoteHit, Notes, NotePlace, RecallOptions, TurnIntent, TurnIntentKey } from 'agent-harness/builtins/tools/memory';
import { withLimit } from '#lib/async';
import { textEnd, textStart } from '#lib/text';
import type { Prompt, Turn } from 'agent-harness/plugins/agent';
import { intentOf } from './turn-intent.ts';
import { listNotes } from './list-notes.ts';

export interface PrimeParts {
  /** Live values of the settings. */
  readonly config: { readonly everyRounds: number; readonly isStrict: boolean; readonly isOnWhenExploring: boolean };
  readonly notes: Notes;
  /** Runs the hook `recall.query`. */
  widen(query: string, place: NotePlace & { readonly isExploratory: boolean }): Promise<readonly string[]>;
  warn(message: string): void;
}

/** Limits for the notes in a prompt. */
interface Helping {
  readonly notes: number;
  /** Maximum length of the whole list in UTF-16 code units. */
  readonly characters: number;
  /** Minimum score of a note, as a share of the best note's score. */
  readonly share: number;
  readonly withoutTypes: readonly string[];
}

const usual: Helping = { notes: 6, characters: 2_000, share: 0.3, withoutTypes: [] };
const whenExploring: Helping = { notes: 3, characters: 800, share: 0.4, withoutTypes: ['trajectory', 'recipe'] };
const whenStrict: Helping = { notes: 3, characters: 1_000, share: 0.6, withoutTypes: ['trajectory', 'recipe'] };

/**
 * Time limit for the memory in milliseconds. A search of indexed notes takes a few milliseconds; a scan of 100,000 notes that are not indexed yet takes half a
 * second on a slow machine. Waiting costs less than a first turn without notes. Late results are used in the next turn.
 */
const waitMs = 1_000;
/** Part of the time limit, in milliseconds, that embeddings may use; they need the network in each turn. */
const meaningMs = 120;
/** Maximum length of the question in UTF-16 code units. */
const questionText = 4_000;
const latestText = 600;
const intentKey: TurnIntentKey = 'recall-intent';

export function createPrime(parts: PrimeParts): (prompt: Prompt, turn: Turn) => Promise<Prompt | undefined> {
  return async (prompt, turn) => {
    const intent = noteIntent(turn);
    if (!isDue(turn.round, parts.config.everyRounds) || turn.text.trim() === '') return undefined;
    const helping = helpingFor(intent, turn.round, parts.config);
    if (!helping) return undefined;
    const hits = await lookUp(parts, turn, questionOf(prompt, turn), helping, intent === 'exploratory');
    const listed = listNotes(hits, helping.characters, Date.now());
    return listed && { ...prompt, tail: [...prompt.tail, { role: 'system', ...listed, about: 'memory' }] };
  };
}

/** Stores the intent for the other recall features of this turn. */
function noteIntent(turn: Turn): TurnIntent {
  const known = turn.notes.get(intentKey) as TurnIntent | undefined;
  const intent = known ?? intentOf(turn.text);
  if (known === undefined) turn.notes.set(intentKey, intent);
  return intent;
}

function isDue(round: number, every: number): boolean {
  return round === 1 || (every > 0 && (round - 1) % every === 0);
}

function helpingFor(intent: TurnIntent, round: number, { isStrict, isOnWhenExploring }: PrimeParts['config']): Helping | undefined {
  if (intent === 'exploratory') return isOnWhenExploring ? whenExploring : undefined;
  return intent === 'introspective' && isStrict && round > 1 ? whenStrict : usual;
}

/** Builds the question. In later rounds, it includes the model's last text, but never tool output, which may be external content. */
function questionOf(prompt: Prompt, turn: Turn): string {
  const question = textStart(turn.text, questionText);
  if (turn.round === 1) return question;
  const latest = prompt.messages.findLast((message) => message.role === 'assistant');
  return latest && latest.text !== '' ? `${question}\n${textEnd(latest.text, latestText)}` : question;
}

async function lookUp({ notes, widen, warn }: PrimeParts, turn: Turn, question: string, helping: Helping, isExploratory: boolean): Promise<NoteHit[]> {
  const place = { chatId: turn.chatId, workspaceRoot: turn.workspaceRoot };
  // Not included in the short time limit: query rewriting has its own limit and is off by default.
  const queries = await widen(question, { ...place, isExploratory });
  const options: RecallOptions = {
    limit: helping.notes * 2,
    withoutTypes: helping.withoutTypes,
    queries,
    isExploratory,
    isCounted: false,
    waitMs: meaningMs,
  };
  const found = await withLimit(
    notes.recall(place, question, options).catch((fault: unknown) => {
      warn(`notes could not be recalled: ${String(fault)}`);
      return [];
    }),
    waitMs,
    (): readonly NoteHit[] => [],
  );
  const best = found[0]?.score ?? 0;
  // A prompt must not repeat content from a third-party folder unless it was requested.
  return found.filter(({ note, score }) => score >= best * helping.share && !note.isForeign).slice(0, helping.notes);
}
