// Validates the user's changes to a chat, applies them to its meta, and announces them to clients.
import type { Events } from 'agent-harness/kernel';
import { oneLine } from '#lib/text';
import { isRecord } from '#lib/values';
import type { ChatChange, ChatFacts, ChatMeta, ChatMode } from '../contract.ts';
import { cleanTitle } from './draft-chat.ts';
import type { SavedMeta } from './saved-meta.ts';

const chatModes: readonly ChatMode[] = ['ask', 'careful', 'plan', 'auto'];
const efforts: readonly unknown[] = ['off', 'low', 'medium', 'high', 'max'] satisfies NonNullable<ChatMeta['effort']>[];
export const maxTags = 20;
/** Maximum length of a tag in characters. */
export const maxTagCharacters = 40;

type Updated = Events['chat_updated'];

/** Reads the properties from a file or a journal; invalid values are replaced with the defaults of a new chat. */
export function readFacts(value: Readonly<Record<string, unknown>>): ChatFacts {
  const { mode, pinned, archived, tags } = value;
  const found = chatModes.find((one) => one === mode);
  const texts = Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
  return { mode: found ?? 'ask', pinned: pinned === true, archived: archived === true, tags: cleanTags(texts).slice(0, maxTags) };
}

/** Reads the immutable properties: the source, and whether the chat is temporary. Omits invalid values. */
export function readLasting(value: Readonly<Record<string, unknown>>): Pick<ChatMeta, 'imported' | 'temporary'> {
  const { from, id } = isRecord(value['imported']) ? value['imported'] : {};
  return {
    ...(typeof from === 'string' && typeof id === 'string' ? { imported: { from, id } } : {}),
    ...(value['temporary'] === true ? { temporary: true } : {}),
  };
}

/** Reads the chat's own model and effort. Omits invalid values; the settings then apply. */
export function readOwnModel({ model, effort }: Readonly<Record<keyof Pick<ChatMeta, 'model' | 'effort'>, unknown>>): Pick<ChatMeta, 'model' | 'effort'> {
  return {
    ...(typeof model === 'string' ? { model } : {}),
    ...(isEffort(effort) ? { effort } : {}),
  };
}

const isEffort = (value: unknown): value is NonNullable<ChatMeta['effort']> => efforts.includes(value);

/** Returns the normalized change, or the reason why it is invalid. */
export function checkChange(change: ChatChange): ChatChange | { readonly why: string } {
  const title = change.title === undefined ? undefined : cleanTitle(change.title);
  if (title === '') return { why: 'A title needs at least one visible character.' };
  const tags = change.tags === undefined ? undefined : cleanTags(change.tags);
  if (tags && tags.length > maxTags) return { why: `A chat can have at most ${maxTags} tags.` };
  if (tags?.some((tag) => tag.length > maxTagCharacters)) return { why: `A tag can have at most ${maxTagCharacters} characters.` };
  return { ...change, ...(title === undefined ? {} : { title }), ...(tags === undefined ? {} : { tags }) };
}

/** Returns the meta of a chat with the changes applied. */
export function withChange({ model: known, effort: knownEffort, ...before }: SavedMeta, change: ChatChange): SavedMeta {
  const { title, model, effort = knownEffort, mode, pinned, archived, tags } = change;
  const chosen = model === undefined ? known : model?.trim();
  return {
    ...before,
    ...(title === undefined ? {} : { title, isTitled: true, updatedAt: new Date().toISOString() }),
    ...(chosen ? { model: chosen } : {}),
    ...(effort ? { effort } : {}),
    ...(mode === undefined ? {} : { mode }),
    ...(pinned === undefined ? {} : { pinned }),
    ...(archived === undefined ? {} : { archived }),
    ...(tags === undefined ? {} : { tags }),
  };
}

/** Emits one event per changed property. */
export function announceChange(chatId: string, { title, model, effort, mode, pinned, archived, tags }: ChatChange): Updated[] {
  return [
    ...(title === undefined ? [] : [{ chatId, change: 'renamed', title } as const]),
    ...(model === undefined ? [] : [{ chatId, change: 'model' } as const]),
    ...(effort === undefined ? [] : [{ chatId, change: 'effort' } as const]),
    ...(mode === undefined ? [] : [{ chatId, change: 'mode', mode } as const]),
    ...(pinned === undefined ? [] : [{ chatId, change: 'pinned', pinned } as const]),
    ...(archived === undefined ? [] : [{ chatId, change: 'archived', archived } as const]),
    ...(tags === undefined ? [] : [{ chatId, change: 'tags', tags } as const]),
  ];
}

/** Normalizes tags to one line each and removes duplicates, ignoring case. */
function cleanTags(tags: readonly string[]): string[] {
  const kept = new Map<string, string>();
  for (const tag of tags) {
    const line = oneLine(tag);
    if (line !== '' && !kept.has(line.toLowerCase())) kept.set(line.toLowerCase(), line);
  }
  return [...kept.values()];
}
