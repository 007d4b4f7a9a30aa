// Reports the context usage of a chat between requests, and compresses when the user requests it.
import type { Logger, Services } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import type { ModelMessage, ModelToolSpec } from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/tools';
import { compress, sizeCompressed, type Compression, type CompressionTask } from './compress.ts';
import { charsOfAll, sumOf, tokensOf, type FixedChars } from './measure.ts';
import { shownOf, type Slot, type Slots } from './compression-cache.ts';

/** The chat whose context is requested. `model`: the model chosen for the chat; default: the configured one. */
export interface ViewedChat {
  readonly chatId: string;
  readonly model?: string | undefined;
}

/** Context usage of a chat. All numbers are tokens, estimated from the provider's last count. */
export interface ContextView {
  readonly used: number;
  readonly limit: number;
  /** Sizes of the parts, whose sum is `used`. */
  readonly parts: {
    /** Omitted before the first request after the server started. */
    readonly system?: number;
    readonly tools: number;
    readonly memory?: number;
    readonly conversation: number;
  };
  /** Compression starts automatically at this number of tokens. */
  readonly compactsAt: number;
  /** Size of the request if it were compressed now; omitted if nothing can be shortened. */
  readonly compactsTo?: number;
}

export interface OnDemandParts {
  readonly services: Pick<Services, 'tools' | 'turns' | 'models' | 'artifacts'>;
  /** Live values of the settings. */
  readonly config: { readonly isSemantic: boolean };
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly slots: Slots;
  load(slot: Slot, messages: readonly ModelMessage[]): Promise<void>;
  limitFor(chat: { readonly model?: string }): Promise<number>;
  take(slot: Slot, shorter: Compression, turn: CompressionTask['turn'], used: () => number): Promise<void>;
  charsOfSpec(spec: ModelToolSpec): number;
}

export interface OnDemand {
  view(chat: ViewedChat): Promise<ContextView>;
  compact(chat: ViewedChat): Promise<string>;
}

/** Round number that is passed to the compression, which waits for a digest in all rounds but the first. */
const laterRound = 2;

/** @param compressAt share of the context window at which compression starts automatically */
export function createOnDemand(parts: OnDemandParts, compressAt: number): OnDemand {
  const { services, config, slots } = parts;

  const slotOf = ({ chatId }: ViewedChat): Slot => slots.of({ chatId, turnId: '', isRoot: true });
  const limitOf = ({ model }: ViewedChat): Promise<number> => parts.limitFor(model === undefined ? {} : { model });

  /** Returns the size of the parts besides the conversation; before the first request, only the size of the tools is known. */
  function fixedOf({ chatId }: ViewedChat, { fixed }: Slot): FixedChars {
    return fixed ?? { system: 0, memory: 0, tools: services.tools.visible(chatId).specs.reduce((sum, spec) => sum + parts.charsOfSpec(spec), 0) };
  }

  function taskOf(chat: ViewedChat, slot: Slot, messages: readonly ModelMessage[], limit: number): CompressionTask {
    const fixed = sumOf(fixedOf(chat, slot));
    const before = tokensOf(fixed + charsOfAll(shownOf(slot, messages)), slot.ratio);
    const turn = { chatId: chat.chatId, round: laterRound, signal: parts.signal };
    return { slot, messages, fixed, before, limit, isSemantic: config.isSemantic, turn };
  }

  return {
    async view(chat) {
      const [messages, limit] = await Promise.all([services.turns.conversation(chat.chatId), limitOf(chat)]);
      const slot = slotOf(chat);
      await parts.load(slot, messages);
      const fixed = fixedOf(chat, slot);
      const tokens = (chars: number): number => tokensOf(chars, slot.ratio);
      const conversation = tokens(charsOfAll(shownOf(slot, messages)));
      const [system, tools, memory] = [tokens(fixed.system), tokens(fixed.tools), tokens(fixed.memory)];
      const used = system + tools + memory + conversation;
      const size = sizeCompressed({ ...taskOf(chat, slot, messages, limit), slot: { ...slot, isForced: true } });
      const shorter = size === undefined ? used : used - conversation + tokens(size);
      return {
        ...{ used, limit, parts: slot.fixed ? { system, tools, memory, conversation } : { tools, conversation } },
        ...{ compactsAt: Math.round(compressAt * limit), ...(shorter < used ? { compactsTo: shorter } : {}) },
      };
    },

    async compact(chat) {
      const { chatId } = chat;
      if (services.turns.isBusy(chatId)) {
        slotOf(chat).isForced = true;
        return 'The older part of this chat will be shortened before the next request.';
      }
      const limit = await limitOf(chat);
      return services.turns.between(chatId, async (messages) => {
        const slot = slotOf(chat);
        await parts.load(slot, messages);
        slot.isForced = true;
        const task = taskOf(chat, slot, messages, limit);
        const used = (): number => tokensOf(task.fixed + charsOfAll(shownOf(slot, messages)), slot.ratio);
        const shorter = await compress(task, parts);
        slot.isForced = false;
        const known = slot.head;
        if (shorter) await parts.take(slot, shorter, task.turn, used);
        if (slot.head === known) return 'Nothing can be shortened yet: the newest messages are sent in full.';
        return `The older part of this chat was shortened: the next request has about ${used().toLocaleString('en')} tokens instead of ${task.before.toLocaleString('en')}.`;
      });
    },
  };
}
