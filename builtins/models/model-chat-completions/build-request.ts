// A request as the chat-completions wire wants it.
import type { ImagePart, ModelMessage, ModelRequest, ModelRoute } from 'agent-harness/plugins/models';

interface WireMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | object[] | null;
  readonly tool_calls?: object[];
  readonly tool_call_id?: string;
}

export function buildRequest(request: ModelRequest, route: ModelRoute): object {
  const host = hostOf(route.baseURL);
  const isRouter = host === 'openrouter.ai';
  const messages = [...(request.system ? [{ role: 'system', content: request.system } as const] : []), ...wireMessages(request.messages)];
  return {
    model: route.model,
    messages: isRouter && route.model.startsWith('anthropic/') ? withCacheMarks(messages) : messages,
    // Its newer models refuse `max_tokens`; everybody else knows only that.
    ...(host === 'api.openai.com' ? { max_completion_tokens: request.maxTokens } : { max_tokens: request.maxTokens }),
    ...(request.tools.length > 0
      ? {
          tools: request.tools.map(({ name, description, input }) => ({ type: 'function', function: { name, description, parameters: input } })),
          tool_choice: 'auto',
        }
      : {}),
    stream: true,
    stream_options: { include_usage: true },
    ...(isRouter ? { usage: { include: true } } : {}),
  };
}

function wireMessages(messages: readonly ModelMessage[]): WireMessage[] {
  const wire: WireMessage[] = [];
  // Tool messages carry no images here, and nothing may stand between the results of one reply.
  let shown: { from: string; images: readonly ImagePart[] }[] = [];
  const show = (): void => {
    for (const { from, images } of shown) wire.push({ role: 'user', content: withImages(`Images from ${from}:`, images) });
    shown = [];
  };
  for (const message of messages) {
    if (message.role !== 'tool') show();
    wire.push(wireMessage(message));
    if (message.role === 'tool' && message.images?.length) shown.push({ from: message.name, images: message.images });
  }
  show();
  return wire;
}

function wireMessage(message: ModelMessage): WireMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text };
    case 'user':
      return { role: 'user', content: message.images?.length ? withImages(message.text, message.images) : message.text };
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
          function: { name, arguments: isJson(argsText) ? argsText : '{}' },
        })),
      };
  }
}

function withImages(text: string, images: readonly ImagePart[]): object[] {
  const parts = images.map(({ mimeType, base64 }) => ({ type: 'image_url', image_url: { url: `data:${mimeType};base64,${base64}` } }));
  return text ? [{ type: 'text', text }, ...parts] : parts;
}

/** This router caches the prompts of these models only where it is told to: after the system text and the newest user message. */
function withCacheMarks(messages: readonly WireMessage[]): WireMessage[] {
  const newest = messages.findLastIndex(({ role, content }) => role === 'user' && typeof content === 'string' && content !== '');
  return messages.map((message, index) => {
    const isMarked = typeof message.content === 'string' && (index === newest || (index === 0 && message.role === 'system'));
    return isMarked ? { ...message, content: [{ type: 'text', text: message.content, cache_control: { type: 'ephemeral' } }] } : message;
  });
}

function hostOf(baseURL: string): string {
  return URL.canParse(baseURL) ? new URL(baseURL).host : '';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
