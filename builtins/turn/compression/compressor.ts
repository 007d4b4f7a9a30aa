// Checks the size of each request before it is sent: inserts the compressed beginning of the conversation, and compresses again if necessary.
import type { Emitter, Logger, Services } from 'agent-harness/kernel';
import type { Prompt, Turn } from 'agent-harness/plugins/agent';
import type { ContextOverflow, ModelMessage, ModelRequest } from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/tools';
import { compress, leastRoom, sizeCompressed, type Compression, type CompressionTask } from './compress.ts';
import { costOf, growthOf } from './prompt-cost.ts';
import { fingerprintOf, hasForeignText, keyOf, splitParts } from './conversation-parts.ts';
import { fitMessages } from './fit.ts';
import { fullTextOf } from './full-text.ts';
import { createHeadFile, stillFits, type Head } from './head-file.ts';
import { charsOfAll, charsPerToken, createSpecMeasure, fixedChars, sumOf, tokenRatio, tokensOf } from './measure.ts';
import { createOnDemand, type ContextView, type ViewedChat } from './on-demand.ts';
import { createCompressionCache, shownOf, type Slot } from './compression-cache.ts';

export interface CompressorParts {
  readonly services: Pick<Services, 'chats' | 'storage' | 'models' | 'tools' | 'artifacts' | 'turns'>;
  /** Live values of the settings. */
  readonly config: { readonly contextTokens: number; readonly isSemantic: boolean };
  /** Aborted when the plugin unloads. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly emitter: Emitter;
}

export interface Compressor {
  build(prompt: Prompt, turn: Turn): Promise<Prompt | undefined>;
  /** Limits the length of the reply to the remaining context. */
  limitReply(request: ModelRequest, turn: Turn): Promise<ModelRequest>;
  /** Handles a provider's rejection of the last request because it was too long. Resolves with `true` if the next request will be shorter. */
  learn(turn: Turn, overflow: ContextOverflow): Promise<true | undefined>;
  noteUsage(usage: { readonly chatId: string; readonly turnId?: string; readonly purpose: string; readonly input: number }): void;
  endTask(taskId: string): void;
  /** Returns the context usage of a chat by part. */
  view(chat: ViewedChat): Promise<ContextView>;
  /** Compresses now, or before the next request of a running turn. Returns a message for the user. */
  compact(chat: ViewedChat): Promise<string>;
  reset(chatId: string): Promise<void>;
  /**
   * Copies the compression state to a copy of the chat, whose conversation has the same beginning. If the copy has fewer rounds, the state does not match and
   * is ignored.
   */
  fork(from: string, to: string): Promise<void>;
  forget(chatId: string): void;
  close(): void;
}

/** Compression starts when the request fills this share of the context window. */
const compressAt = 0.65;
/** Minimum growth since the last compression, as a share of the context window, because each compression invalidates the prompt cache. */
const leastGrowth = 0.1;
/** Share of the context window above which a request is cut down to `fitTo`; the remaining window is for the reply. */
const fitAt = 0.75;
const fitTo = 0.6;
const noticesAt = [0.6, 0.85];
/** Margin for estimation errors: a factor, and a constant number of tokens per request. */
const air = 1.05;
const leastAir = 128;
const leastReply = 256;
/** Minimum plausible size of a context window in tokens; a smaller one could not even contain the tools. */
const leastWindow = 2_000;

export function createCompressor(parts: CompressorParts): Compressor {
  const { services, config, emitter } = parts;
  const slots = createCompressionCache();
  const file = createHeadFile(services);
  const charsOfSpec = createSpecMeasure();

  async function load(slot: Slot, messages: readonly ModelMessage[]): Promise<void> {
    if (slot.head && !stillFits(slot.head, messages)) slot.head = undefined;
    if (slot.isLoaded) return;
    slot.isLoaded = true;
    if (slot.isKept) slot.head = await file.read(slot.chatId, messages);
    slot.triedAt = slot.head?.after ?? 0;
    slot.ratio = slot.head?.ratio ?? slot.ratio;
  }

  async function limitFor({ model }: Pick<Turn, 'model'>): Promise<number> {
    const known = await services.models.window(model);
    return Math.min(config.contextTokens, known ?? Number.POSITIVE_INFINITY);
  }

  async function build(prompt: Prompt, turn: Turn): Promise<Prompt | undefined> {
    const slot = slots.of(turn);
    const { messages } = prompt;
    await load(slot, messages);
    const limit = await limitFor(turn);
    slot.fixed = fixedChars(prompt, services.tools.visible(turn.chatId).specs, charsOfSpec);
    const fixed = sumOf(slot.fixed);
    const used = (): number => tokensOf(fixed + charsOfAll(shownOf(slot, messages)), slot.ratio);
    if (isTime(slot, used(), limit)) {
      const task = { slot, messages, fixed, before: used(), limit, isSemantic: config.isSemantic, turn };
      const shorter = (await tryElision(task, turn)) ?? (await compress(task, parts));
      // An aborted turn has ended and must not emit events.
      if (turn.signal.aborted) return undefined;
      if (shorter) await take(slot, shorter, turn, used);
      if (slot.job?.isOver) slot.job = undefined;
      if (!slot.job) slot.triedAt = used();
    }
    if (turn.isRoot) giveNotice(slot, turn, used(), limit);
    if (used() > fitAt * limit) {
      const shorter = await fit(slot, messages, Math.max((fitTo * limit * charsPerToken) / slot.ratio - fixed, leastRoom * limit));
      if (turn.signal.aborted) return undefined;
      await take(slot, shorter, turn, used);
      slot.triedAt = used();
    }
    return slot.head ? { ...prompt, messages: shownOf(slot, messages) } : undefined;
  }

  /**
   * Shortens by elision if that is not more expensive than compression, because elision keeps more of the conversation. A compression that the user requests is
   * always performed.
   */
  async function tryElision(task: CompressionTask, turn: Turn): Promise<Compression | undefined> {
    const { slot, messages, fixed, limit } = task;
    if (slot.isForced || slot.job) return undefined;
    const shown = shownOf(slot, messages);
    const shorter = await emitter.call('context.shorten', [shown, turn]);
    const start = shorter.findIndex((message, at) => message !== shown[at]);
    // Ignores the result of a tap that returns messages which it did not receive.
    if (start < 0 || shorter.length !== shown.length) return undefined;
    const [size, compressed] = [charsOfAll(shorter), sizeCompressed(task)];
    const room = (compressAt * limit * charsPerToken) / slot.ratio - fixed;
    const growth = growthOf(messages.slice(slot.head?.cut ?? 0));
    const cost = costOf({ size, fresh: charsOfAll(shorter.slice(start)), room, growth });
    if (cost > (compressed === undefined ? Number.MAX_VALUE : costOf({ size: compressed, fresh: compressed, room, growth }))) return undefined;
    return { head: headOf(slot, messages, shorter), rounds: changedRounds(shown, shorter) };
  }

  async function fit(slot: Slot, messages: readonly ModelMessage[], room: number): Promise<Compression> {
    const shown = shownOf(slot, messages);
    const save = (text: string, from: readonly ModelMessage[]): Promise<string | undefined> =>
      services.artifacts.save(slot.chatId, text, { isOwn: !hasForeignText(from) }).catch((fault: unknown) => {
        parts.log.warn(`the full text of a truncated message could not be stored: ${String(fault)}`);
        return undefined;
      });
    const shorter = await fitMessages({ messages: shown, room, save, saveAll: (all) => save(fullTextOf(all, undefined), all) });
    return { head: headOf(slot, messages, shorter), rounds: changedRounds(shown, shorter) };
  }

  async function take(slot: Slot, { head, rounds }: Compression, turn: CompressionTask['turn'], used: () => number): Promise<void> {
    // The conversation has been reset in the meantime, so the result is outdated.
    if (slot.ending.signal.aborted) return;
    const [known, before] = [slot.head, used()];
    slot.head = head;
    const after = used();
    if (after >= before) {
      slot.head = known;
      return;
    }
    slot.job = undefined;
    slot.head = { ...head, after };
    const { chatId, turnId } = turn;
    emitter.emit('context_compressed', { chatId, ...(turnId === undefined ? {} : { turnId }), before, after, rounds });
    if (!slot.isKept) return;
    await file.write(slot.chatId, slot.head).catch((fault: unknown) => parts.log.warn(`the compressed context was not saved: ${String(fault)}`));
  }

  function giveNotice(slot: Slot, { chatId, turnId }: Turn, used: number, limit: number): void {
    const reached = noticesAt.filter((share) => used >= share * limit).length;
    if (reached > slot.noticed) emitter.emit('context_notice', { chatId, turnId, used, limit });
    slot.noticed = reached;
  }

  const onDemand = createOnDemand({ ...parts, slots, load, limitFor, take, charsOfSpec }, compressAt);

  return {
    build,
    ...onDemand,
    async limitReply(request, turn) {
      const slot = slots.of(turn);
      slot.sentChars = request.system.length + charsOfAll(request.messages) + request.tools.reduce((sum, spec) => sum + charsOfSpec(spec), 0);
      const prompt = Math.ceil(tokensOf(slot.sentChars, slot.ratio) * air) + leastAir;
      const maxTokens = Math.min(request.maxTokens, Math.max(leastReply, (await limitFor(turn)) - prompt));
      slot.askedTokens = prompt + maxTokens;
      return { ...request, maxTokens };
    },
    async learn(turn, { window, used }) {
      const slot = slots.of(turn);
      if (window === undefined) {
        const half = slot.askedTokens / 2;
        if (half < leastWindow) return undefined;
        await services.models.learnWindow(half, turn.model);
      }
      const counted = used === undefined ? undefined : tokenRatio(used, slot.sentChars);
      // Without a token count, the request is assumed to be at least as large as the context window.
      slot.ratio = counted ?? Math.max(slot.ratio, tokenRatio(window ?? 0, slot.sentChars) ?? 0);
      return true;
    },
    noteUsage({ chatId, turnId, purpose, input }) {
      const slot = purpose === 'chat' ? (slots.find(turnId) ?? slots.find(chatId)) : undefined;
      if (slot && slot.sentChars > 0) slot.ratio = tokenRatio(input, slot.sentChars) ?? slot.ratio;
    },
    endTask: (taskId) => slots.drop(taskId),
    async reset(chatId) {
      slots.drop(chatId);
      await file.remove(chatId);
    },
    fork: (from, to) => file.copy(from, to),
    forget: (chatId) => slots.drop(chatId),
    close: () => slots.clear(),
  };
}

function isTime(slot: Slot, used: number, limit: number): boolean {
  if (slot.isForced || slot.job?.isOver) return true;
  return used >= compressAt * limit && (used - slot.triedAt >= leastGrowth * limit || used > fitAt * limit);
}

/** Returns the compressed form of the whole conversation so far. Existing lines and artifacts stay unchanged. */
function headOf(slot: Slot, messages: readonly ModelMessage[], shown: readonly ModelMessage[]): Head {
  const { folded = 0, artifactId, digest } = slot.head ?? {};
  const place = { fingerprint: fingerprintOf(messages), lastKey: keyOf(messages.at(-1)) };
  return { cut: messages.length, folded, messages: shown, ...place, after: 0, ratio: slot.ratio, artifactId, digest };
}

function changedRounds(before: readonly ModelMessage[], after: readonly ModelMessage[]): number {
  const kept = new Set(after);
  return splitParts(before).filter(({ kind, start, end }) => kind === 'round' && before.slice(start, end).some((message) => !kept.has(message))).length;
}
