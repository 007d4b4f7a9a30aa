// Looks at each request before it is sent: puts the compressed beginning in place, and compresses when it is time.
import type { Emitter, Logger, Services } from 'agent-harness/kernel';
import type { Prompt, Turn } from 'agent-harness/plugins/agent';
import type { ModelMessage } from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/tools';
import { compress, type Compression } from './compress.ts';
import { createHeadFile, stillFits } from './head-file.ts';
import { charsOfAll, createSpecMeasure, fixedChars, tokenRatio, tokensOf } from './measure.ts';
import { createSlots, type Slot } from './slots.ts';

export interface CompressorParts {
  readonly services: Pick<Services, 'chats' | 'storage' | 'models' | 'tools' | 'artifacts'>;
  /** Live. */
  readonly config: { readonly contextTokens: number; readonly isSemantic: boolean };
  /** Aborted when the plugin unloads. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly emitter: Emitter;
}

export interface Compressor {
  build(prompt: Prompt, turn: Turn): Promise<Prompt | undefined>;
  noteUsage(usage: { readonly chatId: string; readonly turnId?: string; readonly purpose: string; readonly input: number }): void;
  endTurn(turn: Turn): void;
  /** Answers what a person reads. */
  force(chatId: string): string;
  reset(chatId: string): Promise<void>;
  /** The copy of a chat begins with the same request; where it has fewer rounds, the head does not fit and is left alone. */
  fork(from: string, to: string): Promise<void>;
  forget(chatId: string): void;
  close(): void;
}

/** Of the context. */
const compressAt = 0.65;
/** A compression costs the prompt cache, so much must have come since the last one. */
const leastGrowth = 0.1;
const noticesAt = [0.6, 0.85];

export function createCompressor(parts: CompressorParts): Compressor {
  const { services, config, emitter } = parts;
  const slots = createSlots();
  const file = createHeadFile(services);
  const charsOfSpec = createSpecMeasure();

  async function load(slot: Slot, messages: readonly ModelMessage[]): Promise<void> {
    if (slot.head && !stillFits(slot.head, messages)) slot.head = undefined;
    if (slot.isLoaded) return;
    slot.isLoaded = true;
    if (slot.isKept) slot.head = await file.read(slot.chatId, messages);
    slot.triedAt = slot.head?.after ?? 0;
    slot.ratio = slot.head?.ratio ?? 1;
  }

  async function build(prompt: Prompt, turn: Turn): Promise<Prompt | undefined> {
    const slot = slots.of(turn);
    await load(slot, prompt.messages);
    const limit = config.contextTokens;
    const fixed = fixedChars(prompt, services.tools.visible(turn.chatId).specs, charsOfSpec);
    const used = (): number => tokensOf(fixed + charsOfAll(shownOf(slot, prompt.messages)), slot.ratio);
    const before = used();
    if (isTime(slot, before, limit)) {
      const done = await compress({ slot, messages: prompt.messages, fixed, before, limit, isSemantic: config.isSemantic, turn }, parts);
      // A turn that was aborted meanwhile is over, and nothing is said of it any more.
      if (turn.signal.aborted) return undefined;
      if (done) await take(slot, done, turn, { before, after: used });
      if (slot.job?.isOver) slot.job = undefined;
      if (!slot.job) slot.triedAt = used();
    }
    if (turn.isRoot) giveNotice(slot, turn, used(), limit);
    const messages = shownOf(slot, prompt.messages);
    slot.sentChars = fixed + charsOfAll(messages);
    return slot.head ? { ...prompt, messages } : undefined;
  }

  async function take(slot: Slot, { head, rounds }: Compression, turn: Turn, tokens: { before: number; after: () => number }): Promise<void> {
    slot.head = head;
    slot.job = undefined;
    const after = tokens.after();
    slot.head = { ...head, after };
    emitter.emit('context_compressed', { chatId: turn.chatId, turnId: turn.turnId, before: tokens.before, after, rounds });
    if (!slot.isKept) return;
    await file.write(slot.chatId, slot.head).catch((fault: unknown) => parts.log.warn(`the compressed context was not saved: ${String(fault)}`));
  }

  function giveNotice(slot: Slot, { chatId, turnId }: Turn, used: number, limit: number): void {
    const reached = noticesAt.filter((share) => used >= share * limit).length;
    if (reached > slot.noticed) emitter.emit('context_notice', { chatId, turnId, used, limit });
    slot.noticed = reached;
  }

  return {
    build,
    noteUsage({ chatId, turnId, purpose, input }) {
      const slot = purpose === 'chat' ? (slots.find(turnId) ?? slots.find(chatId)) : undefined;
      if (slot && slot.sentChars > 0) slot.ratio = tokenRatio(input, slot.sentChars);
    },
    endTurn(turn) {
      if (!turn.isRoot) slots.drop(turn.turnId);
    },
    force(chatId) {
      slots.of({ chatId, turnId: '', isRoot: true }).isForced = true;
      return 'The older part of this chat is shortened before the next request.';
    },
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
  return used >= compressAt * limit && used - slot.triedAt >= leastGrowth * limit;
}

function shownOf({ head }: Slot, messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return head ? [...head.messages, ...messages.slice(head.cut)] : messages;
}
