// Finds the part to change in a rejected model request: the part that the error names, otherwise each likely cause in turn.
import { sha256 } from '#lib/hash';
import type { ImagePart, ModelFault, ModelRequest, ModelRoute, RequestPart } from './contract.ts';
import {
  badPictureWords,
  missingDataWords,
  noSuchPathWords,
  otherCauseWords,
  refusedParts,
  replyLimits,
  responsesOnlyWords,
  schemaWords,
} from './provider-error-patterns.ts';

/**
 * A change to a rejected request. Scope `server`: stored for the base URL and model. Scope `chat`: stored in memory for the chat, whose history is the cause.
 */
export type Remedy =
  | { readonly kind: 'part'; readonly part: RequestPart; readonly scope: 'server' | 'chat' }
  | { readonly kind: 'pictures'; readonly images: readonly ImagePart[] }
  | { readonly kind: 'wire'; readonly wire: 'chat-completions' | 'responses'; readonly part?: RequestPart }
  | { readonly kind: 'reply'; readonly tokens: number };

/** A request that the server rejected. */
export interface Refused {
  /** The well-formed request, with the value of `omit` that was sent. */
  readonly request: ModelRequest;
  readonly route: ModelRoute;
  /** Changes already applied to this request. */
  readonly tried: readonly Remedy[];
  hasWire(wire: ModelRoute['wire']): boolean;
}

/** Returns the next change to try; `undefined` if no change can help. Trying is fast, because servers reject a request immediately. */
export function findRemedy(fault: ModelFault, refused: Refused): Remedy | undefined {
  if (fault.kind !== 'refused' && fault.kind !== 'bad_reply') return undefined;
  if (fault.status === undefined) return undefined;
  const words = fault.words ?? fault.message;
  const named = wireRemedy(words, fault.status, refused) ?? replyRemedy(words, refused) ?? namedRemedy(words, refused);
  if (named) return named;
  const isElsewhere = otherCauseWords.test(words) || fault.status === 404 || fault.status === 405;
  return isElsewhere ? undefined : suspects(refused).find((one) => isNew(one, refused));
}

function wireRemedy(words: string, status: number, { route, tried, hasWire }: Refused): Remedy | undefined {
  const wasSwitched = tried.some(({ kind }) => kind === 'wire');
  if (route.wire === 'chat-completions' && responsesOnlyWords.test(words)) {
    if (!wasSwitched && hasWire('responses')) return { kind: 'wire', wire: 'responses' };
    return tried.some((one) => one.kind === 'part' && one.part === 'effort:none') ? undefined : { kind: 'part', part: 'effort:none', scope: 'server' };
  }
  const isMissing = (status === 404 || status === 405 || status === 501) && noSuchPathWords.test(words) && !otherCauseWords.test(words);
  if (route.wire !== 'responses' || !isMissing || !hasWire('chat-completions')) return undefined;
  return wasSwitched ? { kind: 'wire', wire: 'chat-completions', part: 'effort:none' } : { kind: 'wire', wire: 'chat-completions' };
}

function replyRemedy(words: string, { request, tried }: Refused): Remedy | undefined {
  if (tried.some(({ kind }) => kind === 'reply')) return undefined;
  for (const pattern of replyLimits) {
    const tokens = Number(pattern.exec(words)?.[1]?.replaceAll(',', ''));
    if (tokens > 0 && tokens < request.maxTokens) return { kind: 'reply', tokens };
  }
  return undefined;
}

function namedRemedy(words: string, refused: Refused): Remedy | undefined {
  const found: Remedy[] = [];
  const isMissing = missingDataWords.test(words);
  const parts = refusedParts
    .filter(([part, pattern]) => pattern.test(words) && !(isMissing && (part === 'reasoning' || part === 'effort')))
    .flatMap(([part]) => (part === 'effort' ? (['effort:plain', part] as const) : [part]));
  const named = parts.map((part): Remedy => ({ kind: 'part', part, scope: 'server' }));
  if (isMissing) found.push(inChat('calls'));
  if (badPictureWords.test(words)) found.push(...picturesOf(refused.request));
  if (schemaWords.test(words)) found.push(...toolNamed(words, refused.request));
  found.push(...named);
  return found.find((one) => isNew(one, refused));
}

/** Returns the possible causes, ordered by likelihood and by the loss of information if the part is omitted. */
function suspects({ request }: Refused): Remedy[] {
  return [...picturesOf(request), inChat('reasoning'), inChat('calls'), inChat('tools')];
}

const inChat = (part: RequestPart): Remedy => ({ kind: 'part', part, scope: 'chat' });

/** Returns two changes: without the images of the newest message that has images, then without all images. */
function picturesOf({ messages }: ModelRequest): Remedy[] {
  const shown = messages.flatMap((message) => ('images' in message && message.images?.length ? [message.images] : []));
  const newest = shown.at(-1);
  if (!newest) return [];
  return [{ kind: 'pictures', images: newest }, ...(shown.length > 1 ? [{ kind: 'pictures' as const, images: shown.flat() }] : [])];
}

function toolNamed(words: string, { tools }: ModelRequest): Remedy[] {
  const place = schemaWords.exec(words)?.[1];
  const atPlace = place === undefined ? undefined : tools[Number(place)];
  const tool = tools.find(({ name }) => new RegExp(`\\b${name}\\b`).test(words)) ?? atPlace;
  return tool ? [{ kind: 'part', part: `tool:${tool.name}`, scope: 'server' }] : [];
}

function isNew(remedy: Remedy, { request, route, tried }: Refused): boolean {
  if (remedy.kind === 'pictures')
    return !tried.some(
      (one) => one.kind === 'pictures' && one.images.length >= remedy.images.length && remedy.images.every((image) => one.images.includes(image)),
    );
  return remedy.kind !== 'part' || (!request.omit?.has(remedy.part) && hasPart(request, route, remedy.part));
}

/** Returns whether omitting the part would change the request. */
function hasPart({ messages, tools, effort }: ModelRequest, { wire }: ModelRoute, part: RequestPart): boolean {
  const hasData = (): boolean => messages.some((message) => message.role === 'assistant' && message.providerData !== undefined);
  switch (part) {
    case 'tools':
    case 'tool_choice':
      return tools.length > 0;
    case 'images':
      return messages.some((message) => 'images' in message && Boolean(message.images?.length));
    case 'sound':
      return messages.some((message) => message.role === 'user' && Boolean(message.audio?.length));
    case 'reasoning':
      return wire === 'responses' || hasData();
    case 'null_content':
      return messages.some((message) => message.role === 'assistant' && message.text === '');
    case 'summary':
      return wire === 'responses';
    case 'effort:plain':
      return effort === 'off' || effort === 'max' || (effort !== undefined && wire === 'messages');
    case 'effort':
      return effort !== undefined;
    case 'calls':
      return messages.some((message) => message.role === 'assistant' && message.toolCalls.length > 0 && message.providerData === undefined);
    default:
      return true;
  }
}

export const pictureKey = ({ base64 }: ImagePart): string => sha256(base64);
