// A request as the chat-completions wire wants it.
import { jsonOf } from 'agent-harness/lib/values';
import type { AudioPart, ImagePart, ModelMessage, ModelRequest, ModelRoute, ModelToolSpec } from 'agent-harness/plugins/models';

interface WireMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | object[] | null;
  readonly tool_calls?: object[];
  readonly tool_call_id?: string;
}

/** The body, as JSON. */
export type BuildRequest = (request: ModelRequest, route: ModelRoute) => string;
type WriteOnce = <T extends object>(value: T, wire: (value: T) => object) => string;

/** A conversation grows at its end: what was written once is not written again with each request. Pictures and sound are, or they would stand in memory twice. */
export function createRequestBuilder(): BuildRequest {
  const written = new WeakMap<object, string>();
  const writeOnce: WriteOnce = (value, wire) => {
    const text = written.get(value) ?? JSON.stringify(wire(value));
    written.set(value, text);
    return text;
  };
  return (request, route) => buildRequest(request, route, writeOnce);
}

function buildRequest(request: ModelRequest, route: ModelRoute, writeOnce: WriteOnce): string {
  const host = hostOf(route.baseURL);
  const isRouter = host === 'openrouter.ai';
  const messages = wireMessages(request, isRouter && route.model.startsWith('anthropic/'), writeOnce);
  const tools = request.tools.map((tool) => writeOnce(tool, wireTool));
  const rest = {
    model: route.model,
    // Its newer models refuse `max_tokens`; everybody else knows only that.
    ...(host === 'api.openai.com' ? { max_completion_tokens: request.maxTokens } : { max_tokens: request.maxTokens }),
    ...(tools.length > 0 ? { tool_choice: 'auto' } : {}),
    stream: true,
    stream_options: { include_usage: true },
    ...(isRouter ? { usage: { include: true } } : {}),
  };
  const withTools = tools.length > 0 ? `"tools":[${tools.join(',')}],` : '';
  return `{${withTools}"messages":[${messages.join(',')}],${JSON.stringify(rest).slice(1)}`;
}

function wireTool({ name, description, input }: ModelToolSpec): object {
  return { type: 'function', function: { name, description, parameters: input } };
}

/** @param isMarked a router caches the prompts of some models only where it is told to: after the system text and the newest user message */
function wireMessages({ system, messages }: ModelRequest, isMarked: boolean, writeOnce: WriteOnce): string[] {
  const newest = isMarked ? messages.findLastIndex((one) => one.role === 'user' && !hasMedia(one) && one.text !== '') : -1;
  const texts = system ? [JSON.stringify({ role: 'system', content: isMarked ? withCacheMark(system) : system })] : [];
  // Tool messages carry no images here, and nothing may stand between the results of one reply.
  let shown: { from: string; images: readonly ImagePart[] }[] = [];
  const show = (): void => {
    for (const { from, images } of shown) texts.push(JSON.stringify({ role: 'user', content: withMedia(`Images from ${from}:`, images) }));
    shown = [];
  };
  messages.forEach((message, index) => {
    if (message.role !== 'tool') show();
    if (index === newest) texts.push(JSON.stringify({ role: message.role, content: withCacheMark(message.text) }));
    else texts.push(message.role === 'user' && hasMedia(message) ? JSON.stringify(wireMessage(message)) : writeOnce(message, wireMessage));
    if (message.role === 'tool' && message.images?.length) shown.push({ from: message.name, images: message.images });
  });
  show();
  return texts;
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
    case 'assistant':
      if (message.toolCalls.length === 0) return { role: 'assistant', content: message.text };
      return {
        role: 'assistant',
        content: message.text || null,
        // Broken arguments would be refused by strict servers; the result that follows tells the model what was wrong.
        tool_calls: message.toolCalls.map(({ id, name, argsText }) => ({
          id,
          type: 'function',
          function: { name, arguments: jsonOf(argsText) !== undefined ? argsText : '{}' },
        })),
      };
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
