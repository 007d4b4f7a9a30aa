// What a person took out of what the model reads: messages and calls that stay in the journal, and stand as a line in each later request.
import { join } from 'node:path';
import { BoundedMap, isRecord } from 'agent-harness/lib/values';
import type { Prompt, ToolCall, Turn } from 'agent-harness/plugins/agent';
import type { Chats } from 'agent-harness/plugins/chats';
import type { ModelMessage } from 'agent-harness/plugins/models';
import type { Storage } from 'agent-harness/plugins/storage';
import { isMessageOf } from 'agent-harness/transcript';

/** A call by its id; a message by its id, with the words by which the conversation has it. */
export interface TakenThing {
  readonly id: string;
  readonly text?: string;
  /** Ids of what belongs to it and can be read by a tool: attachments, the whole of a long output. */
  readonly files?: readonly string[];
  /** Plugins that could not drop what they made of it. */
  readonly left?: readonly string[];
}

export interface TakenOut {
  of(chatId: string): Promise<ReadonlySet<string>>;
  /** By the ids of what was taken out: the plugins that have something of it left. */
  leftOf(chatId: string): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Resolves when it is on disk. */
  take(chatId: string, thing: TakenThing): Promise<void>;
  /** Keeps in mind who could not drop what they made of it, until it is taken out once more. */
  leave(chatId: string, id: string, plugins: readonly string[]): Promise<void>;
  putBack(chatId: string, id: string): Promise<void>;
  /** Whether a call with these arguments would read what belongs to something that was taken out. */
  isAskedFor(chatId: string, args: ToolCall['args']): Promise<boolean>;
  /** The same prompt where nothing was taken out. */
  apply(prompt: Prompt, turn: Pick<Turn, 'chatId'>): Promise<Prompt | undefined>;
  /** As {@link TakenOut.apply}, of the messages alone. */
  applyTo(messages: readonly ModelMessage[], chatId: string): Promise<readonly ModelMessage[] | undefined>;
  copy(from: string, to: string): Promise<void>;
  /** The chat is gone, or nobody uses it for now. */
  forget(chatId: string): void;
}

const mostChats = 200;
const mostThings = 1_000;
/** Inside of another text only what is long enough to be nobody else's. */
const shortestInside = 20;
const line = '[A person took this out of the conversation.]';

export function createTakenOut(chats: Pick<Chats, 'folder'>, storage: Pick<Storage, 'readJson' | 'updateJson' | 'writeJson'>): TakenOut {
  const fileOf = (chatId: string): string => join(chats.folder(chatId), 'taken-out.json');
  const known = new BoundedMap<string, Promise<readonly TakenThing[]>>(mostChats);

  function thingsOf(chatId: string): Promise<readonly TakenThing[]> {
    const found = known.get(chatId);
    if (found) return found;
    const reading = storage.readJson(fileOf(chatId), isThings).then(
      (things) => things ?? [],
      (fault: unknown) => {
        known.delete(chatId);
        throw fault;
      },
    );
    known.set(chatId, reading);
    return reading;
  }

  async function change(chatId: string, edit: (things: readonly TakenThing[]) => readonly TakenThing[]): Promise<void> {
    const things = await storage.updateJson(fileOf(chatId), (old: readonly TakenThing[] = []) => edit(old).slice(-mostThings), { shape: isThings });
    known.set(chatId, Promise.resolve(things));
  }

  async function applyTo(messages: readonly ModelMessage[], chatId: string): Promise<readonly ModelMessage[] | undefined> {
    const things = await thingsOf(chatId);
    if (things.length === 0) return undefined;
    const calls = new Set(things.filter(({ text }) => text === undefined).map(({ id }) => id));
    const texts = things.flatMap(({ text }) => (text === undefined || text === '' ? [] : [text]));
    return messages.map((message) => without(message, calls, texts));
  }

  return {
    of: async (chatId) => new Set((await thingsOf(chatId)).map(({ id }) => id)),
    leftOf: async (chatId) => new Map((await thingsOf(chatId)).map(({ id, left = [] }) => [id, left])),
    take: (chatId, thing) => change(chatId, (old) => [...old.filter(({ id }) => id !== thing.id), thing]),
    leave: (chatId, id, left) => change(chatId, (old) => old.map((one) => (one.id === id ? { ...one, left } : one))),
    putBack: (chatId, id) => change(chatId, (old) => old.filter((one) => one.id !== id)),
    async isAskedFor(chatId, args) {
      const files = (await thingsOf(chatId)).flatMap((thing) => thing.files ?? []);
      if (files.length === 0) return false;
      const asked = JSON.stringify(args);
      return files.some((file) => asked.includes(file));
    },
    async apply(prompt, { chatId }) {
      const messages = await applyTo(prompt.messages, chatId);
      return messages && { ...prompt, messages };
    },
    applyTo,
    async copy(from, to) {
      const things = await thingsOf(from);
      if (things.length > 0) await storage.writeJson(fileOf(to), things);
    },
    forget: (chatId) => void known.delete(chatId),
  };
}

function without(message: ModelMessage, calls: ReadonlySet<string>, texts: readonly string[]): ModelMessage {
  if (message.role === 'tool') {
    const { images: _, ...rest } = message;
    return calls.has(message.callId) ? { ...rest, text: line } : message;
  }
  if (message.role === 'assistant') {
    const isSaid = texts.includes(message.text);
    if (!isSaid && !message.toolCalls.some(({ id }) => calls.has(id))) return message;
    // Reasoning that the provider signed may repeat what was removed.
    const { providerData: _, ...rest } = message;
    return {
      ...rest,
      text: isSaid ? line : message.text,
      toolCalls: message.toolCalls.map((call) => (calls.has(call.id) ? { ...call, argsText: '{}' } : call)),
    };
  }
  if (texts.some((text) => isMessageOf(message.text, text))) return { role: message.role, text: line };
  const said = texts.find((text) => text.length >= shortestInside && message.text.includes(text));
  return said === undefined ? message : { role: message.role, text: message.text.replace(said, () => line) };
}

function isThings(value: unknown): value is readonly TakenThing[] {
  return Array.isArray(value) && value.every((thing: unknown) => isRecord(thing) && typeof thing['id'] === 'string');
}
