// Builds the body of a chat-completions request.
import type { AudioPart, ImagePart, ModelMessage, ModelRequest, ModelRoute, ModelToolSpec, ReasoningEffort } from 'agent-harness/plugins/models';

interface WireMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | object[] | null;
  readonly tool_calls?: object[];
  readonly tool_call_id?: string;
  /** Provider-specific fields that the provider returned with this message. */
  readonly [returned: string]: unknown;
}

/** Provider-specific data besides text and calls; it is sent back under the same names. */
export interface WireFields {
  /** Fields of the message, such as `reasoning_content` and `reasoning_details`. */
  readonly message?: Readonly<Record<string, unknown>>;
  /** Fields of each call by call index, such as `extra_content` with a signature. */
  readonly calls?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Returns the request body as JSON in UTF-8. */
export type BuildRequest = (request: ModelRequest, route: ModelRoute) => Buffer;
type WriteOnce = <T extends object>(value: T, wire: (value: T) => object) => Buffer;

/**
 * Creates a builder that reuses the encoded JSON of earlier messages, because a conversation grows only at its end. Images and audio are not cached, because
 * they would be in memory twice.
 */
export function createRequestBuilder(): BuildRequest {
  const written = new WeakMap<object, Buffer>();
  const writeOnce: WriteOnce = (value, wire) => {
    const json = written.get(value) ?? encode(wire(value));
    written.set(value, json);
    return json;
  };
  return (request, route) => buildRequest(request, route, writeOnce);
}

const encode = (value: object): Buffer => Buffer.from(JSON.stringify(value));
const comma = Buffer.from(',');
const joined = (values: readonly Buffer[]): Buffer[] => values.flatMap((value, index) => (index === 0 ? [value] : [comma, value]));

function buildRequest(request: ModelRequest, route: ModelRoute, writeOnce: WriteOnce): Buffer {
  const { omit = new Set() } = request;
  const host = hostOf(route.baseURL);
  const isRouter = host === 'openrouter.ai';
  const isMarked = isRouter && route.model.startsWith('anthropic/') && !omit.has('cache_control');
  const messages = wireMessages(request, isMarked, writeOnce);
  const tools = request.tools.map((tool) => writeOnce(tool, wireTool));
  // OpenAI's newer models reject `max_tokens`; most other servers accept only that name.
  const usesNewName = (host === 'api.openai.com') !== omit.has('max_tokens');
  const rest = {
    model: route.model,
    ...(usesNewName ? { max_completion_tokens: request.maxTokens } : { max_tokens: request.maxTokens }),
    ...(tools.length > 0 && !omit.has('tool_choice') ? { tool_choice: 'auto' } : {}),
    ...effortOf(request, isRouter),
    stream: true,
    ...(omit.has('stream_options') ? {} : { stream_options: { include_usage: true } }),
    ...(isRouter ? { usage: { include: true } } : {}),
  };
  return Buffer.concat([
    ...(tools.length > 0 ? [Buffer.from('{"tools":['), ...joined(tools), Buffer.from('],"messages":[')] : [Buffer.from('{"messages":[')]),
    ...joined(messages),
    Buffer.from(`],${JSON.stringify(rest).slice(1)}`),
  ]);
}

/** Names of OpenAI's reasoning efforts. `plainEfforts` contains only the names that all reasoning models accept. */
const efforts: Readonly<Record<ReasoningEffort, string>> = { off: 'none', low: 'low', medium: 'medium', high: 'high', max: 'xhigh' };
const plainEfforts: Readonly<Record<ReasoningEffort, string>> = { ...efforts, off: 'low', max: 'high' };

function effortOf({ effort, omit }: ModelRequest, isRouter: boolean): object {
  if (omit?.has('effort:none')) return { reasoning_effort: 'none' };
  if (effort === undefined || omit?.has('effort')) return {};
  const name = (omit?.has('effort:plain') ? plainEfforts : efforts)[effort];
  return isRouter ? { reasoning: name === 'none' ? { enabled: false } : { effort: name } } : { reasoning_effort: name };
}

function wireTool({ name, description, input }: ModelToolSpec): object {
  return { type: 'function', function: { name, description, parameters: input } };
}

/** @param isMarked whether to mark the system text and the newest user message for caching; some routers cache certain models only on request */
function wireMessages({ system, messages, omit }: ModelRequest, isMarked: boolean, writeOnce: WriteOnce): Buffer[] {
  const newest = isMarked ? messages.findLastIndex((one) => one.role === 'user' && !hasMedia(one) && one.text !== '') : -1;
  const written = system ? [encode({ role: 'system', content: isMarked ? withCacheMark(system) : system })] : [];
  messages.forEach((message, index) => {
    if (omit?.has('null_content') && message.role === 'assistant' && message.text === '') written.push(encode({ ...wireMessage(message), content: '' }));
    else if (index === newest) written.push(encode({ role: message.role, content: withCacheMark(message.text) }));
    else written.push(message.role === 'user' && hasMedia(message) ? encode(wireMessage(message)) : writeOnce(message, wireMessage));
  });
  return written;
}

function hasMedia(message: Extract<ModelMessage, { role: 'user' }>): boolean {
  return Boolean(message.images?.length || message.audio?.length);
}

function wireMessage(message: ModelMessage): WireMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text };
    case 'user':
      return { role: 'user', content: hasMedia(message) ? withMedia(message.text, message.images, message.audio) : message.text };
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text };
    case 'assistant': {
      if (message.toolCalls.length === 0) return { role: 'assistant', content: message.text };
      const { message: returned = {}, calls = {} } = (message.providerData?.data ?? {}) as WireFields;
      return {
        ...returned,
        role: 'assistant',
        content: message.text || null,
        tool_calls: message.toolCalls.map(({ id, name, argsText }, place) => ({
          ...calls[place],
          id,
          type: 'function',
          function: { name, arguments: argsText },
        })),
      };
    }
  }
}

function withMedia(text: string, images: readonly ImagePart[] = [], audio: readonly AudioPart[] = []): object[] {
  const parts = [
    ...images.map(({ mimeType, base64 }) => ({ type: 'image_url', image_url: { url: `data:${mimeType};base64,${base64}` } })),
    ...audio.map(({ base64: data, format }) => ({ type: 'input_audio', input_audio: { data, format } })),
  ];
  return text ? [{ type: 'text', text }, ...parts] : parts;
}

function withCacheMark(text: string): object[] {
  return [{ type: 'text', text, cache_control: { type: 'ephemeral' } }];
}

function hostOf(baseURL: string): string {
  return URL.canParse(baseURL) ? new URL(baseURL).host : '';
}
