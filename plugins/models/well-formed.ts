// Rewrites a conversation into a form that all model providers accept: paired calls and results, valid names and ids, alternating roles.
import { textEnd } from '#lib/text';
import { replaceTexts } from '#lib/values';
import { interruptedOutput } from 'agent-harness/transcript';
import { cleanMessage, wholeText, wireId, withoutImages } from './clean-message.ts';
import type { ImagePart, ModelMessage, ModelRequest, ModelRoute, ModelToolCall, ModelToolSpec, RequestPart } from './contract.ts';
import { portableSchema } from './portable-schema.ts';

type Assistant = Extract<ModelMessage, { role: 'assistant' }>;
type User = Extract<ModelMessage, { role: 'user' }>;
type ToolResult = Extract<ModelMessage, { role: 'tool' }>;

export interface Form {
  readonly route: Pick<ModelRoute, 'wire' | 'baseURL'>;
  /** Whether roles must alternate, see {@link ModelAdapter.alternates}. */
  readonly alternates: boolean;
  readonly omit: ReadonlySet<RequestPart>;
  /** Returns whether the server rejected this image. */
  isRefused(image: ImagePart): boolean;
}

export type WellFormed = (request: ModelRequest, form: Form) => ModelRequest;

const quotedEnd = 200;
const continuation = '(The conversation continues.)';
const noted = 'Noted.';
const leftOut = '[Image omitted: the provider rejected it]';

/**
 * Creates the rewriter, which caches by message object: a conversation grows at its end, so earlier messages are repaired once and keep their identity, which
 * adapters use as the key of their JSON caches.
 */
export function createWellFormed(): WellFormed {
  const cleaned = new WeakMap<ModelMessage, ModelMessage>();
  const identified = new WeakMap<ModelMessage, ModelMessage>();
  const specs = new WeakMap<ModelToolSpec, ModelToolSpec>();

  const clean = (message: ModelMessage): ModelMessage => remembered(cleaned, message, cleanMessage);
  const withWireIds = (message: ModelMessage, again: number): ModelMessage =>
    again === 0 ? remembered(identified, message, (one) => renameIds(one, 0)) : renameIds(message, again);

  return (request, form) => {
    const { omit } = form;
    const isTextual = omit.has('tools');
    let messages: ModelMessage[] = pairCalls(request.messages.map(clean));
    messages = messages.map((message) => withoutRefused(message, form));
    messages = isTextual || omit.has('calls') ? callsAsText(messages, isTextual) : messages;
    messages = uniqueIds(messages, withWireIds);
    if (form.alternates) messages = alternate(messages);
    endWithUser(messages);
    const tools = isTextual ? [] : request.tools.filter(({ name }) => !omit.has(`tool:${name}`));
    return {
      ...request,
      system: wholeText(request.system),
      messages,
      tools: tools.map((spec) => remembered(specs, spec, portableSpec)),
      ...(omit.size > 0 ? { omit } : {}),
    };
  };
}

function remembered<T extends object>(known: WeakMap<T, T>, value: T, make: (value: T) => T): T {
  const found = known.get(value) ?? make(value);
  known.set(value, found);
  return found;
}

function portableSpec(spec: ModelToolSpec): ModelToolSpec {
  const input = portableSchema(spec.input);
  const description = wholeText(spec.description);
  return input === spec.input && description === spec.description ? spec : { ...spec, description, input };
}

/** Moves results directly after their calls, in the order of the calls. Adds missing results; converts results without a call to text. */
function pairCalls(messages: readonly ModelMessage[]): ModelMessage[] {
  const paired: ModelMessage[] = [];
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]!;
    if (message.role === 'tool') {
      paired.push(userOf(`[Result of ${message.name}]\n${message.text}`, message.images));
      continue;
    }
    paired.push(message);
    if (message.role !== 'assistant' || message.toolCalls.length === 0) continue;
    const wanted = new Set(message.toolCalls.map(({ id }) => id));
    const results = new Map<string, ToolResult>();
    const between: ModelMessage[] = [];
    for (let next = messages[at + 1]; next && results.size < wanted.size && next.role !== 'assistant'; next = messages[at + 1]) {
      at++;
      if (next.role === 'tool' && wanted.has(next.callId) && !results.has(next.callId)) results.set(next.callId, next);
      else between.push(next);
    }
    for (const { id, name } of message.toolCalls) paired.push(results.get(id) ?? { role: 'tool', callId: id, name, text: interruptedOutput, isError: true });
    for (const one of between) paired.push(one.role === 'tool' ? userOf(`[Result of ${one.name}]\n${one.text}`, one.images) : one);
  }
  return paired;
}

/** Removes rejected images and audio, and the data of other providers. */
function withoutRefused(message: ModelMessage, { route, omit, isRefused }: Form): ModelMessage {
  if (message.role === 'assistant') {
    const { providerData } = message;
    const isOwn = providerData?.wire === route.wire && providerData.baseURL === route.baseURL && !omit.has('reasoning');
    return providerData && !isOwn ? withoutData(message) : message;
  }
  if (message.role === 'system') return message;
  const heard = message.role === 'user' && message.audio && omit.has('sound') ? { ...message, audio: [] } : message;
  if (!heard.images?.length) return heard;
  const images = omit.has('images') ? [] : heard.images.filter((image) => !isRefused(image));
  if (images.length === heard.images.length) return heard;
  const without = { ...withoutImages(heard), text: `${heard.text}\n${leftOut}` };
  return images.length > 0 ? { ...without, images } : without;
}

function withoutData({ providerData: _, ...message }: Assistant): Assistant {
  return message;
}

/** Converts calls and results to text. @param isAll whether to include calls with provider data */
function callsAsText(messages: readonly ModelMessage[], isAll: boolean): ModelMessage[] {
  const written = new Set<string>();
  return messages.map((message) => {
    if (message.role === 'tool') return written.has(message.callId) ? userOf(`[Result of ${message.name}]\n${message.text}`, message.images) : message;
    if (message.role !== 'assistant' || message.toolCalls.length === 0 || (message.providerData && !isAll)) return message;
    for (const { id } of message.toolCalls) written.add(id);
    const calls = message.toolCalls.map(({ name, argsText }) => `[Called ${name} with ${argsText}]`);
    return { role: 'assistant', text: [message.text, ...calls].filter((line) => line.trim() !== '').join('\n'), toolCalls: [] };
  });
}

/** Makes ids unique within a request, because imported chats may repeat the ids of earlier replies. */
function uniqueIds(messages: readonly ModelMessage[], withWireIds: (message: ModelMessage, again: number) => ModelMessage): ModelMessage[] {
  const seen = new Map<string, number>();
  let again = 0;
  return messages.map((message) => {
    if (message.role === 'assistant' && message.toolCalls.length > 0) {
      again = Math.max(...message.toolCalls.map(({ id }) => seen.get(id) ?? 0));
      for (const { id } of message.toolCalls) seen.set(id, again + 1);
      return withWireIds(message, again);
    }
    return message.role === 'tool' ? withWireIds(message, again) : message;
  });
}

function renameIds(message: ModelMessage, again: number): ModelMessage {
  const rename = (id: string): string => wireId(again === 0 ? id : `${id} ${again}`);
  if (message.role === 'tool') return { ...message, callId: rename(message.callId) };
  if (message.role !== 'assistant') return message;
  const toolCalls = message.toolCalls.map((call): ModelToolCall => ({ ...call, id: rename(call.id) }));
  const { providerData } = message;
  if (!providerData) return { ...message, toolCalls };
  const ids = new Map(message.toolCalls.map(({ id }) => [id, rename(id)]));
  return { ...message, toolCalls, providerData: { ...providerData, data: replaceTexts(providerData.data, ids) } };
}

/**
 * Makes user and assistant messages alternate, as chat templates require. Sources: QwenLM/Qwen3.8#244 (a system message only at the beginning), mistral-common
 * (no user message directly after a tool message), suitenumerique/conversations#197 (alternating roles).
 */
function alternate(messages: readonly ModelMessage[]): ModelMessage[] {
  const turns: ModelMessage[] = [];
  let pictures: { readonly from: string; readonly images: readonly ImagePart[] }[] = [];
  const push = (message: User | Assistant): void => {
    const last = turns.at(-1);
    if (message.role === 'user' && last?.role === 'tool') turns.push(answered, message);
    else if (message.role === 'user' && last?.role === 'user') turns[turns.length - 1] = joinUsers(last, message);
    else if (message.role === 'assistant' && last?.role === 'assistant') turns[turns.length - 1] = joinAssistants(last, message);
    else turns.push(message);
  };
  const showPictures = (): void => {
    for (const { from, images } of pictures) push(userOf(`Images from ${from}:`, images));
    pictures = [];
  };
  for (const message of messages) {
    if (message.role === 'tool') {
      if (message.images?.length) pictures.push({ from: message.name, images: message.images });
      turns.push(message.images?.length ? withoutImages(message) : message);
      continue;
    }
    if (message.role !== 'system') {
      showPictures();
      push(message);
      continue;
    }
    const note = `<system-note>\n${message.text}\n</system-note>`;
    const last = turns.at(-1);
    if (last?.role === 'tool' && pictures.length === 0) turns[turns.length - 1] = { ...last, text: `${last.text}\n\n${note}` };
    else {
      showPictures();
      push(userOf(note));
    }
  }
  showPictures();
  if (turns[0]?.role === 'assistant') turns.unshift(userOf(continuation));
  return turns;
}

const answered: Assistant = { role: 'assistant', text: noted, toolCalls: [] };

const userOf = (text: string, images: readonly ImagePart[] = []): User => ({ role: 'user', text, ...(images.length > 0 ? { images } : {}) });

function joinUsers(first: User, second: User): User {
  const images = [...(first.images ?? []), ...(second.images ?? [])];
  const audio = [...(first.audio ?? []), ...(second.audio ?? [])];
  const text = [first.text, second.text].filter((one) => one !== '').join('\n\n');
  return { role: 'user', text, ...(images.length > 0 ? { images } : {}), ...(audio.length > 0 ? { audio } : {}) };
}

/** Joins two replies: directly if the first one ends in the middle of a sentence because the token limit truncated it, otherwise as paragraphs. */
function joinAssistants(first: Assistant, second: Assistant): Assistant {
  const isCut = !/[.!?:;)\]}"'`*>。！？…]$/u.test(first.text);
  const text = first.text === '' || second.text === '' ? first.text + second.text : `${first.text}${isCut ? '' : '\n\n'}${second.text}`;
  return { ...second, text };
}

/** Appends a user message, because newer models reject a request that ends with an assistant message (anthropics/claude-code#52433). */
function endWithUser(messages: ModelMessage[]): void {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return;
  const end = textEnd(last.text.trimEnd(), quotedEnd);
  messages.push(userOf(end === '' ? continuation : `Your reply was cut off. It ends with:\n${end}\nGo on right behind that; do not repeat it.`));
}
