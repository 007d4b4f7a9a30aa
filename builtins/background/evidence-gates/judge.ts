// Applies all evidence gates to a proposed note in order, and returns the verdict with its reason.
import type { Note, NotePlace, NoteScope, UnwantedNote } from 'agent-harness/builtins/tools/memory';
import { clip } from '#lib/text';
import { isRecord } from '#lib/values';
import type { EvidenceClass, EvidenceEntry, GateQuestion, GateReason, GateVerdict } from './contract.ts';
import { withDates } from './dates.ts';
import { classOf, holdEvidence, keptEvidence, sessionsOf, type Held } from './evidence.ts';
import { hasRelativeDate, isAdvice, isOrder, whyBadForm, whyBadKey } from './form.ts';
import { hasOtherStance, isOnlyWished, sameText, saysSame } from './stance.ts';
import { isOfOthers, isTurnedAround, likeness, supportOf } from './support.ts';

export interface JudgeParts {
  entryOf(chatId: string, entryId: string): EvidenceEntry | undefined;
  /** Returns the workspace of a chat that can serve as evidence; `undefined` if the chat cannot. */
  placeOf(chatId: string): NotePlace | undefined;
  /** Returns a note in any state, including deleted notes and notes in the inbox. */
  peek(place: NotePlace, id: string, scope: NoteScope): Promise<Note | undefined>;
  /** Returns the active notes in this home folder with similar wording. */
  near(place: NotePlace, text: string): Promise<readonly Note[]>;
  /** Returns the matching entry of the user's list of unwanted notes; `undefined` if there is none. */
  unwantedFor(note: { readonly id: string; readonly value: string }): Promise<UnwantedNote | undefined>;
  /** Returns the deleted notes. */
  forgotten(place: NotePlace): Promise<readonly Note[]>;
}

/** Minimum share of a note's content words that must occur in the evidence, 0 to 1. */
const stated = 0.75;
const related = 0.5;
const sameTopic = 0.6;

const sources: Readonly<Record<EvidenceClass, 'model' | 'tool' | 'web'>> = { user: 'model', workspace: 'tool', tool: 'tool', model: 'model', web: 'web' };
/** Types of notes that describe actions instead of facts. */
const doing: ReadonlySet<string> = new Set(['experience', 'recipe', 'trajectory', 'reflection', 'belief', 'hypothesis', 'rule', 'procedure', 'skill']);

export async function judgeOne(raw: unknown, question: GateQuestion, parts: JudgeParts): Promise<GateVerdict> {
  const read = readProposal(raw);
  const { id, value } = read;
  let forged = 0;
  let evidence: readonly Held[] = [];
  const say = (outcome: GateVerdict['outcome'], reason: GateReason | undefined, why: string, rest: Partial<GateVerdict> = {}): GateVerdict => ({
    ...{ outcome, ...(reason === undefined ? {} : { reason }), why, id, value: clip(value, 400), evidence: evidence.map(keptEvidence), forged },
    ...rest,
  });
  const refuse = (reason: GateReason, why: string): GateVerdict => say('refuse', reason, why);

  if (read.why !== undefined) return refuse('shape', read.why);
  const bad = whyBadForm(value) ?? whyBadKey(read.key);
  if (bad !== undefined) return refuse('form', bad);

  const all = holdEvidence(read.evidence, question.chats, parts.entryOf, question.wasShown ?? (() => true));
  ({ forged, held: evidence } = all);
  if (all.held.length === 0)
    return refuse(forged > 0 ? 'not_said' : 'no_evidence', forged > 0 ? 'Its quotes do not occur in the named entries.' : 'It quotes no evidence.');
  const statements = all.held.filter((one) => !one.isNoStatement);
  if (statements.length === 0) return refuse('not_said', 'The quoted words are a question or an assumption, not a statement.');
  evidence = statements;

  // Replaces relative days with dates, relative to the time of the statement.
  const text = withDates(value, newest(statements).at);
  if (hasRelativeDate(text)) return refuse('form', 'It contains a relative time, which is wrong later.');
  const needed = neededFor(text, statements);
  if (needed === undefined) return refuse('unsupported', 'It states more than its evidence, or the opposite.');
  evidence = needed.evidence;
  const origin = classOf(evidence);
  if (isOrder(text) && origin !== 'user') return refuse('instruction', 'It instructs the agent, and the instruction is not from the user.');

  const places = new Map(evidence.flatMap((one) => parts.placeOf(one.chatId) ?? []).map((place) => [place.workspaceRoot, place]));
  const [place] = places.values();
  if (!place) return refuse('no_evidence', 'Its source chat no longer exists.');
  if (places.size > 1 && origin !== 'user') return refuse('unsupported', 'Its evidence comes from several workspaces and contains no statement of the user.');
  const scope = places.size > 1 ? 'global' : read.scope;
  const unwanted = await parts.unwantedFor({ id, value: text });
  if (unwanted) return refuse('unwanted', `The user does not want notes about ‘${clip(unwanted.value === '' ? unwanted.id : unwanted.value, 80)}’.`);

  const note = {
    ...{ type: read.type, key: read.key, value: text, scope, confidence: origin === 'user' ? 0.9 : 0.6 },
    ...{ source: { kind: sources[origin], ref: `${question.by} ${question.ref}` }, evidence: evidence.map(keptEvidence) },
  };
  const apply = (): GateVerdict => say('apply', undefined, whyApplied(evidence), { place, note });
  const wait = (reason: GateReason, why: string): GateVerdict => say('inbox', reason, why, { place, note: { ...note, waits: why } });

  const before = await parts.peek(place, id, scope);
  const standing = before && before.deletedAt === undefined && !before.isPending ? before : undefined;
  if (standing && saysSame(standing.value, text)) return refuse('known', 'The note already exists.');
  if (before?.deletedAt !== undefined && before.deletedAt >= newest(evidence).at) return refuse('unwanted', 'The note was deleted after this statement.');
  const forgotten = (await parts.forgotten(place)).find((one) => (one.deletedAt ?? '') >= newest(evidence).at && likeness(one.value, text).same >= sameText);
  if (forgotten) return refuse('unwanted', `The same note, ${forgotten.id}, was deleted after this statement.`);
  if (standing && standing.updatedAt >= newest(evidence).at && !isSameSource(standing, question))
    return refuse('older', 'The existing note is newer than this statement.');

  const why = whyWaits(text, read.type, scope, origin, evidence, needed.share);
  if (why) return wait(why.reason, why.text);
  if (standing?.isPinned) return wait('pinned', `The note ${id} is pinned, and the proposal would change it.`);
  if (standing?.source.kind === 'user') return wait('contradiction', `You wrote the note ${id} yourself, and the proposal would change it.`);
  const others = await parts.near(place, `${read.key} ${text}`);
  for (const other of others) {
    if (other.id === id && other.scope === scope) continue;
    if (saysSame(other.value, text)) return refuse('known', `The same note already exists: ${other.id}.`);
    if (likeness(other.value, text).contained >= sameTopic) return wait('contradiction', `The note ${other.id} states something else about the same topic.`);
  }
  return apply();
}

/** Returns the smallest sufficient evidence; prefers the user's own statements. */
function neededFor(value: string, held: readonly Held[]): { readonly evidence: readonly Held[]; readonly share: number } | undefined {
  const groups = [held.filter((one) => one.class === 'user'), held.filter((one) => one.class === 'user' || one.class === 'workspace'), held];
  for (const evidence of groups) {
    if (evidence.length === 0) continue;
    const { share, foreign } = supportOf(value, evidence.map(({ words }) => words).join('\n'));
    const sentences = evidence.map(({ sentence }) => sentence).join('\n');
    const isTurned = isTurnedAround(value, sentences) || isOnlyWished(value, sentences);
    if (foreign.length === 0 && share >= related && !isTurned) return { evidence, share };
  }
  return undefined;
}

function whyWaits(
  value: string,
  type: string,
  scope: NoteScope,
  origin: EvidenceClass,
  evidence: readonly Held[],
  share: number,
): { readonly reason: GateReason; readonly text: string } | undefined {
  const from = [...new Set(evidence.filter((one) => one.class !== 'user').map((one) => one.from))].join(', ');
  if (origin !== 'user' && origin !== 'workspace') return { reason: 'heard', text: `The statement is from ${from}, not from you.` };
  const sessions = sessionsOf(evidence);
  if (origin === 'workspace') {
    if (scope === 'global' || doing.has(type) || isAdvice(value) || /\busers?\b/i.test(value))
      return { reason: 'heard', text: `The statement is from ${from}. Statements of files about people or about how to work need your decision.` };
    return sessions >= 2 ? undefined : { reason: 'inferred', text: `Only one session contains this statement, by ${from}.` };
  }
  const sentences = evidence.map((one) => one.sentence);
  if (isOfOthers(value, sentences)) return { reason: 'inferred', text: 'You said it about someone else, not about yourself.' };
  if (hasOtherStance(value, sentences.join('\n'))) return { reason: 'inferred', text: 'It was inferred from your words; you did not say it literally.' };
  // A statement by the user needs no second session.
  if (share >= stated || sessions >= 2 || evidence.some((one) => one.isExplicit)) return undefined;
  return { reason: 'inferred', text: 'It was inferred from one statement of yours; you did not say it literally.' };
}

function whyApplied(evidence: readonly Held[]): string {
  const sessions = sessionsOf(evidence);
  return classOf(evidence) === 'user'
    ? sessions > 1
      ? `You said so in ${sessions} sessions.`
      : 'You said so.'
    : `Files of the workspace say so in ${sessions} sessions.`;
}

/** Returns whether the note has the same proposer and source; a proposer may refine its own notes. */
function isSameSource(note: Note, { by, ref }: GateQuestion): boolean {
  return note.source.ref === `${by} ${ref}`;
}

function newest(evidence: readonly Held[]): Held {
  return evidence.reduce((one, other) => (other.at > one.at ? other : one));
}

interface ReadProposal {
  readonly id: string;
  readonly type: string;
  readonly key: string;
  readonly value: string;
  readonly scope: NoteScope;
  readonly evidence: unknown;
  readonly why?: string;
}

function readProposal(raw: unknown): ReadProposal {
  const { type = 'fact', key, value, scope = 'workspace', evidence } = isRecord(raw) ? raw : {};
  const isText = typeof type === 'string' && typeof key === 'string' && typeof value === 'string';
  const name = isText && key.startsWith(`${type}:`) ? key.slice(type.length + 1) : key;
  const named: NoteScope = scope === 'global' || scope === 'chat' ? scope : 'workspace';
  const read = {
    ...{ type: isText ? type : '', key: isText ? (name as string).trim() : '', value: isText ? value.trim() : '', evidence },
    scope: named,
  };
  const id = isText ? `${read.type}:${clip(read.key, 200)}` : '';
  const isFit = /^[a-z][a-z0-9_-]{0,31}$/.test(read.type) && /^[^\p{C}\p{Zl}\p{Zp}]{1,120}$/u.test(read.key) && read.value !== '';
  return { ...read, id, ...(isFit ? {} : { why: 'It is not a valid note: a note needs a type, a key and a value.' }) };
}
