// Shapes a request for its server: makes it well-formed, and removes the parts that the server rejects.
import { BoundedMap } from '#lib/values';
import type { ImagePart, ModelAdapter, ModelShutdown, ModelRequest, ModelRoute, RequestPart } from './contract.ts';
import type { LearnedLimits, ServerLimits } from './learned-limits.ts';
import { shutdownLine } from './model-facts.ts';
import { hostOf } from './providers.ts';
import { pictureKey, type Remedy } from './remedies.ts';
import { createWellFormed } from './well-formed.ts';

export interface Shaping {
  /** Returns the route with the learned wire, unless a wire is configured. */
  routeOf(route: ModelRoute, tried: readonly Remedy[]): Promise<ModelRoute>;
  shape(request: ModelRequest, route: ModelRoute, adapter: ModelAdapter, tried: readonly Remedy[]): Promise<ModelRequest>;
  /** Stores the remedies of a request that succeeded. */
  remember(request: ModelRequest, route: ModelRoute, tried: readonly Remedy[]): void;
  /** Returns the notices about this request that its chat has not shown yet: parts that were left out, a shutdown that is due. */
  notices(request: ModelRequest, route: ModelRoute): string[];
}

export interface ShapingParts {
  readonly limits: LearnedLimits;
  /** Returns whether no wire is configured. */
  isWireFree(): boolean;
  /** Returns the shutdown of the model, if it is past or due within 30 days. */
  shutdownOf(route: ModelRoute): ModelShutdown | undefined;
}

/** Limits of one chat at one server, in memory. */
interface ChatLimits {
  readonly omit: Set<RequestPart>;
  readonly pictures: Set<string>;
}

/** Maximum number of chats with limits in memory; the oldest are dropped. */
const mostChats = 500;
/** Maximum number of remembered notices that chats have shown. */
const mostNotices = 5_000;

export function createShaping({ limits, isWireFree, shutdownOf }: ShapingParts): Shaping {
  const wellFormed = createWellFormed();
  const chats = new BoundedMap<string, ChatLimits>(mostChats);
  const noticed = new BoundedMap<string, true>(mostNotices);
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
        lines.push(`${route.model} refused a picture of this chat, so it is left out. Send it again as PNG or JPEG of at most 8,000 pixels a side.`);
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

/** Returns `undefined` for parts whose absence has no visible effect. */
function noticeOf(part: RequestPart, { model, baseURL }: ModelRoute): string | undefined {
  if (part.startsWith('tool:')) return `${model} refuses the tool ${part.slice(5)}, so it is not offered to this model.`;
  switch (part) {
    case 'tools':
      return `${model} takes no tools at ${hostOf(baseURL)}, so it answers without files, commands and other tools. Choose another model with /model or AGENT_MODEL to use them.`;
    case 'images':
      return `${model} takes no pictures, so they are left out. Choose another model with /model or AGENT_MODEL to show it pictures.`;
    case 'sound':
      return `${model} takes no sound, so it is left out.`;
    case 'effort':
      return `${model} takes no reasoning effort, so the setting AGENT_REASONING_EFFORT has no effect on it.`;
    case 'effort:none':
      return `${model} takes tools only without reasoning at ${hostOf(baseURL)}. Set AGENT_MODEL_WIRE=responses if the server supports that format.`;
    case 'stream_options':
      return `${hostOf(baseURL)} does not report token counts, so usage is estimated.`;
    case 'calls':
      return `${model} does not take the earlier tool calls of this chat as they are, so it reads them as text.`;
    default:
      return undefined;
  }
}
