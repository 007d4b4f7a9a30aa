// Performs one compression: plans it, requests a digest if configured, stores the full text, and builds the messages.
import type { Logger, Services } from 'agent-harness/kernel';
import { messageOf } from '#lib/errors';
import type { Turn } from 'agent-harness/plugins/agent';
import type { ModelMessage } from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/tools';
import { fingerprintOf, hasForeignText, keyOf, splitParts, type Part } from './conversation-parts.ts';
import { fullTextOf } from './full-text.ts';
import type { Head } from './head-file.ts';
import { layOutHead, type Digest } from './lay-out.ts';
import { charsOfAll, charsPerToken } from './measure.ts';
import { planCompression, type CompressionPlan } from './plan-compression.ts';
import type { Slot } from './compression-cache.ts';

export interface CompressionTask {
  readonly slot: Slot;
  readonly messages: readonly ModelMessage[];
  /** Length of the request without the conversation, in UTF-16 code units. */
  readonly fixed: number;
  /** Tokens of the current request. */
  readonly before: number;
  readonly limit: number;
  readonly isSemantic: boolean;
  /** The turn of the request. Between two turns, no user is waiting for an answer, so `round` is a later round. */
  readonly turn: Pick<Turn, 'chatId' | 'round' | 'signal'> & { readonly turnId?: string };
}

export interface CompressionParts {
  readonly services: Pick<Services, 'models' | 'artifacts'>;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

export interface Compression {
  readonly head: Head;
  /** Number of rounds that were shortened. */
  readonly rounds: number;
}

/** Target size of the request as a share of the context window, with a margin for estimation errors. */
const target = 0.38;
/** Minimum share of the context window for the conversation, whatever the size of the other parts. */
export const leastRoom = 0.1;
/** Share of the context window above which the compression does not wait for a digest. */
const urgentAt = 0.85;
/** Maximum input of the model that writes a digest, as a share of its context window. */
const sourceShare = 0.5;

/** Performs a compression; returns `undefined` if nothing can be shortened, or while a model is writing a digest. */
export async function compress(task: CompressionTask, parts: CompressionParts): Promise<Compression | undefined> {
  const { slot, messages } = task;
  const pieces = splitParts(messages);
  const plan = keepDigested(planCompression(messages, pieces, roomFor(task)), slot.job?.digest ?? slot.head?.digest);
  const digest = isUseful(plan, slot) ? await digestFor(task, pieces, plan, parts) : 'none';
  if (digest === 'later') return undefined;
  slot.isForced = false;
  if (digest === 'none') return undefined;
  const saved = await saveFullTexts(task, pieces, plan, parts);
  const head = layOutHead({ messages, parts: pieces, plan, digest, ...saved });
  const rounds = pieces.filter((part) => part.kind === 'round' && part.start >= (slot.head?.folded ?? 0) && part.end <= plan.cut).length;
  const covered = messages.slice(0, plan.cut);
  return {
    rounds,
    head: {
      ...{ cut: plan.cut, folded: plan.cut, messages: head, fingerprint: fingerprintOf(covered), lastKey: keyOf(covered.at(-1)), after: 0, ratio: slot.ratio },
      ...{ artifactId: saved.artifactId, digest },
    },
  };
}

/** Returns the size of the compressed messages in UTF-16 code units without compressing them; `undefined` if nothing can be shortened. */
export function sizeCompressed(task: CompressionTask): number | undefined {
  const { slot, messages } = task;
  const pieces = splitParts(messages);
  const digest = slot.job?.digest ?? slot.head?.digest;
  const plan = keepDigested(planCompression(messages, pieces, roomFor(task)), digest);
  if (!isUseful(plan, slot)) return undefined;
  const head = layOutHead({ messages, parts: pieces, plan, digest, artifactId: undefined, userArtifacts: new Map() });
  return charsOfAll(head) + charsOfAll(messages.slice(plan.cut));
}

function isUseful({ cut }: CompressionPlan, { head, isForced }: Slot): boolean {
  const known = head?.folded ?? 0;
  return cut > known || (isForced && cut === known && cut > 0);
}

/** Returns the space for the conversation in UTF-16 code units; if the user requested the compression, at most half of the current size. */
function roomFor({ slot, fixed, before, limit }: CompressionTask): number {
  const tokens = slot.isForced ? Math.min(limit * target, before / 2) : limit * target;
  const perToken = charsPerToken / slot.ratio;
  return Math.max(tokens * perToken - fixed, leastRoom * limit * perToken);
}

/** Removes from the plan the messages that the digest covers, because they need no lines. */
function keepDigested(plan: CompressionPlan, digest: Digest | undefined): CompressionPlan {
  const end = digest?.end ?? 0;
  return { ...plan, mid: Math.max(plan.mid, end), cut: Math.max(plan.cut, end) };
}

async function digestFor(
  task: CompressionTask,
  pieces: readonly Part[],
  plan: CompressionPlan,
  parts: CompressionParts,
): Promise<Digest | undefined | 'later'> {
  const { slot, isSemantic, turn, before, limit } = task;
  const known = slot.job?.digest ?? slot.head?.digest;
  if (!isSemantic || plan.mid <= (known?.end ?? 0)) return known;
  if (slot.job) return slot.job.isOver || before >= urgentAt * limit ? known : 'later';
  // A digest never delays the start of an answer.
  const mayWait = turn.round > 1;
  const writing = write(task, pieces, plan, parts, mayWait);
  if (mayWait) return (await writing) ?? known;
  const job: NonNullable<Slot['job']> = { digest: undefined, isOver: false };
  slot.job = job;
  void writing.then((digest) => Object.assign(job, { digest, isOver: true }));
  return before >= urgentAt * limit ? known : 'later';
}

/** Writes the digest in the background. Never rejects. */
async function write(
  task: CompressionTask,
  pieces: readonly Part[],
  plan: CompressionPlan,
  parts: CompressionParts,
  isInTurn: boolean,
): Promise<Digest | undefined> {
  const { slot, messages, turn, limit } = task;
  const signals = [parts.signal, slot.ending.signal, ...(isInTurn ? [turn.signal] : [])];
  try {
    const { writeDigest } = await import('./write-digest.ts');
    const sizes = { room: plan.digestRoom, sourceRoom: limit * sourceShare * (charsPerToken / slot.ratio) };
    const scope = { chatId: turn.chatId, ...(isInTurn && turn.turnId !== undefined ? { turnId: turn.turnId } : {}) };
    return await writeDigest(
      { messages: [...messages], parts: pieces, before: slot.head?.digest, end: plan.mid, ...sizes, ...scope },
      parts.services.models,
      AbortSignal.any(signals),
    );
  } catch (fault) {
    if (!signals.some((signal) => signal.aborted)) parts.log.warn(`the digest could not be written: ${messageOf(fault)}`);
    return undefined;
  }
}

async function saveFullTexts(
  { slot, messages }: CompressionTask,
  pieces: readonly Part[],
  plan: CompressionPlan,
  { services, log }: CompressionParts,
): Promise<{ artifactId: string | undefined; userArtifacts: Map<number, string> }> {
  const userArtifacts = new Map<number, string>();
  const { folded = 0, artifactId: before } = slot.head ?? {};
  try {
    for (const { kind, start, end } of pieces) {
      const text = messages[start]?.text ?? '';
      if (kind === 'user' && end <= plan.cut && text.length > plan.userLimit) {
        userArtifacts.set(start, await services.artifacts.save(slot.chatId, text, { isOwn: true }));
      }
    }
    const fresh = messages.slice(folded, plan.cut);
    const artifactId = fresh.length === 0 ? before : await services.artifacts.save(slot.chatId, fullTextOf(fresh, before), { isOwn: !hasForeignText(fresh) });
    return { artifactId, userArtifacts };
  } catch (fault) {
    log.warn(`the full text of compressed rounds was not saved: ${String(fault)}`);
    return { artifactId: before, userArtifacts };
  }
}
