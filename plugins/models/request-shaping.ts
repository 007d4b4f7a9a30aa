// Prepares a model request for its server: makes it well-formed, and removes the parts that the server rejects.
import { BoundedMap } from '#lib/values';
import type { ImagePart, ModelAdapter, ModelShutdown, ModelRequest, ModelRoute, RequestPart } from './contract.ts';
import type { LearnedLimits, ServerLimits } from './learned-limits.ts';
import { shutdownLine } from './model-facts.ts';
import { hostOf } from './providers.ts';
import { pictureKey, type Remedy } from './remedies.ts';
import { createWellFormed } from './well-formed.ts';

export interface Shaping {
  /** Returns the route with the learned wire format, unless a wire format is configured. */
  routeOf(route: ModelRoute, tried: readonly Remedy[]): Promise<ModelRoute>;
  shape(request: ModelRequest, route: ModelRoute, adapter: ModelAdapter, tried: readonly Remedy[]): Promise<ModelRequest>;
  /** Stores the changes with which a request succeeded. */
  remember(request: ModelRequest, route: ModelRoute, tried: readonly Remedy[]): void;
  /** Returns the notices about this request that its chat has not displayed yet: omitted parts, an imminent shutdown. */
  notices(request: ModelRequest, route: ModelRoute): string[];
}

export interface ShapingParts {
  readonly limits: LearnedLimits;
  /** Returns whether no wire format is configured, so another one may be used. */
  isWireFree(): boolean;
  /** Returns the shutdown of a model if it is past or due within 30 days. */
  shutdownOf(route: ModelRoute): ModelShutdown | undefined;
}

/** Learned limits of one chat at one server, in memory. */
interface ChatLimits {
  readonly omit: Set<RequestPart>;
  readonly pictures: Set<string>;
}

/** Maximum number of chats with limits in memory; the oldest are dropped. */
const maxChats = 500;
/** Maximum number of stored keys of displayed notices. */
const maxNotices = 5_000;

export function createShaping({ limits, isWireFree, shutdownOf }: ShapingParts): Shaping {
  const wellFormed = createWellFormed();
  const chats = new BoundedMap<string, ChatLimits>(maxChats);
  const noticed = new BoundedMap<string, true>(maxNotices);
  const keyOf = ({ chatId = '' }: ModelRequest, { baseURL, model }: ModelRoute): string => `${chatId} ${baseURL} ${model}`;

  function chatLimits(key: string): ChatLimits {
    const known = chats.get(key) ?? { omit: new Set(), pictures: new Set() };
    chats.set(key, known);
    return known;
  }

  return {
    async routeOf(route, tried) {
      const switched = tried.findLast((one) => one.kind === 'wire');
      if (switched?.kind === 'wire') return { ...route, wire: switched.wire };
      if (!isWireFree() || (route.wire !== 'chat-completions' && route.wire !== 'responses')) return route;
      const { wire } = await limits.of(route);
      return wire === undefined ? route : { ...route, wire };
    },
    async shape(request, route, adapter, tried) {
      if (route.wire === 'demo') return request;
      const { omit: learned = [], reply = Infinity } = await limits.of(route);
      const inChat = chats.get(keyOf(request, route));
      const { parts, pictures, tokens } = partsOf(tried);
      const refused = new Set([...(inChat?.pictures ?? []), ...pictures.map(pictureKey)]);
      const maxTokens = Math.min(request.maxTokens, reply, tokens);
      return wellFormed(maxTokens === request.maxTokens ? request : { ...request, maxTokens }, {
        route,
        alternates: adapter.alternates === true,
        omit: new Set([...learned, ...(inChat?.omit ?? []), ...parts]),
        isRefused: (image) => refused.size > 0 && refused.has(pictureKey(image)),
      });
    },
    remember(request, route, tried) {
      if (tried.length === 0) return;
      let learned: ServerLimits = {};
      const inChat = chatLimits(keyOf(request, route));
      for (const remedy of tried) {
        if (remedy.kind === 'reply') learned = { ...learned, reply: remedy.tokens };
        if (remedy.kind === 'wire') learned = { ...learned, wire: remedy.wire };
        if (remedy.kind === 'pictures') for (const image of remedy.images) inChat.pictures.add(pictureKey(image));
        if (remedy.kind === 'part' && remedy.scope === 'chat') inChat.omit.add(remedy.part);
      }
      const omit = tried.flatMap((one) => (one.kind === 'part' && one.scope === 'server' ? [one.part] : one.kind === 'wire' && one.part ? [one.part] : []));
      if (omit.length > 0) learned = { ...learned, omit };
      if (Object.keys(learned).length > 0) limits.learn(route, learned);
    },
    notices(request, route) {
      const refused = chats.get(keyOf(request, route));
      const lines = [...(request.omit ?? [])].flatMap((part) => noticeOf(part, route) ?? []);
      if (refused?.pictures.size)
        lines.push(
          `${route.model} rejected a picture of this chat, so the picture is left out. Send it again as PNG or JPEG with at most 8,000 pixels per side.`,
        );
      const shutdown = shutdownOf(route);
      if (shutdown) lines.push(shutdownLine(shutdown));
      const key = keyOf(request, route);
      return lines.filter((line) => {
        const once = `${key} ${line}`;
        if (noticed.has(once)) return false;
        noticed.set(once, true);
        return true;
      });
    },
  };
}

function partsOf(tried: readonly Remedy[]): { parts: RequestPart[]; pictures: ImagePart[]; tokens: number } {
  const parts: RequestPart[] = [];
  const pictures: ImagePart[] = [];
  let tokens = Infinity;
  for (const remedy of tried) {
    if (remedy.kind === 'part') parts.push(remedy.part);
    if (remedy.kind === 'wire' && remedy.part) parts.push(remedy.part);
    if (remedy.kind === 'pictures') pictures.push(...remedy.images);
    if (remedy.kind === 'reply') ({ tokens } = remedy);
  }
  return { parts, pictures, tokens };
}

/** Returns the notice about an omitted part; `undefined` if the omission has no visible effect. */
function noticeOf(part: RequestPart, { model, baseURL }: ModelRoute): string | undefined {
  if (part.startsWith('tool:')) return `${model} rejects the tool ${part.slice(5)}, so the tool is not available to this model.`;
  switch (part) {
    case 'tools':
      return `${model} does not accept tools at ${hostOf(baseURL)}, so it works without files, commands and other tools. To use them, choose another model with /model or AGENT_MODEL.`;
    case 'images':
      return `${model} does not accept pictures, so they are left out. To send pictures, choose another model with /model or AGENT_MODEL.`;
    case 'sound':
      return `${model} does not accept sound, so it is left out.`;
    case 'effort':
      return `${model} does not accept a reasoning effort, so the setting AGENT_REASONING_EFFORT has no effect.`;
    case 'effort:none':
      return `${model} accepts tools only without reasoning at ${hostOf(baseURL)}. Set AGENT_MODEL_WIRE=responses if the server supports that format.`;
    case 'stream_options':
      return `${hostOf(baseURL)} does not report token counts, so usage is estimated.`;
    case 'calls':
      return `${model} rejects the earlier tool calls of this chat, so it gets them as text.`;
    default:
      return undefined;
  }
}
