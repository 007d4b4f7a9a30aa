// A request as the messages wire wants it: strictly alternating roles, made of blocks.
import { recordIn } from 'agent-harness/lib/values';
import type { ImagePart, ModelMessage, ModelRequest, ModelRoute, ModelToolCall } from 'agent-harness/plugins/models';

interface Block {
  readonly type: string;
  readonly [field: string]: unknown;
}
interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: Block[];
}

const cacheMark = { cache_control: { type: 'ephemeral' } };

export function buildRequest(request: ModelRequest, route: ModelRoute): object {
  return {
    model: route.model,
    max_tokens: request.maxTokens,
    ...(request.system ? { system: [{ ...textBlock(request.system), ...cacheMark }] } : {}),
    messages: markForCache(wireMessages(request.messages)),
    ...(request.tools.length > 0
      ? { tools: request.tools.map(({ name, description, input }) => ({ name, description, input_schema: input })), tool_choice: { type: 'auto' } }
      : {}),
    stream: true,
  };
}

function wireMessages(messages: readonly ModelMessage[]): WireMessage[] {
  const wire: WireMessage[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = blocksOf(message);
    if (content.length === 0) continue;
    const last = wire.at(-1);
    if (last?.role === role) last.content.push(...content);
    else wire.push({ role, content });
  }
  if (wire[0]?.role !== 'user') wire.unshift({ role: 'user', content: [textBlock('(The conversation goes on.)')] });
  for (const { role, content } of wire) if (role === 'user') resultsFirst(content);
  trimEnd(wire.at(-1));
  return wire;
}

function blocksOf(message: ModelMessage): Block[] {
  switch (message.role) {
    case 'system':
      return [textBlock(`<system-note>\n${message.text}\n</system-note>`)];
    case 'user':
      return [...texts(message.text), ...(message.images ?? []).map(imageBlock)];
    case 'assistant':
      return [...texts(message.text), ...message.toolCalls.map(toolUse)];
    case 'tool': {
      const content = [...texts(message.text), ...(message.images ?? []).map(imageBlock)];
      return [
        {
          type: 'tool_result',
          tool_use_id: wireId(message.callId),
          content: content.length > 0 ? content : [textBlock('(no output)')],
          ...(message.isError ? { is_error: true } : {}),
        },
      ];
    }
  }
}

const textBlock = (text: string): Block => ({ type: 'text', text });
/** Blank text blocks are refused. */
const texts = (text: string): Block[] => (text.trim() === '' ? [] : [textBlock(text)]);
const imageBlock = ({ mimeType, base64 }: ImagePart): Block => ({ type: 'image', source: { type: 'base64', media_type: mimeType, data: base64 } });
const toolUse = ({ id, name, argsText }: ModelToolCall): Block => ({ type: 'tool_use', id: wireId(id), name, input: recordIn(argsText) });
/** A conversation may have begun with a provider that makes ids of other letters. */
const wireId = (id: string): string => id.replace(/[^\w-]/g, '_') || '_';

/** Broken arguments cannot be sent back as they were; the result that follows tells the model what was wrong. */

/** Results must directly follow the calls, before any other text of the same message. */
function resultsFirst(content: Block[]): void {
  const results = content.filter((block) => block.type === 'tool_result');
  if (results.length === 0) return;
  content.splice(0, content.length, ...results, ...content.filter((block) => block.type !== 'tool_result'));
}

/** A final assistant message that ends in white space is refused. */
function trimEnd(last: WireMessage | undefined): void {
  const block = last?.role === 'assistant' ? last.content.at(-1) : undefined;
  if (last && block?.type === 'text') last.content[last.content.length - 1] = textBlock(String(block['text']).trimEnd());
}

/** Two marks: on what stays in the conversation (the last result, else the first block), and on the end, which may be for this round only. */
function markForCache(messages: WireMessage[]): WireMessage[] {
  const content = messages.at(-1)?.content ?? [];
  const stays = Math.max(
    0,
    content.findLastIndex((block) => block.type === 'tool_result'),
  );
  for (const index of new Set([stays, content.length - 1])) {
    const block = content[index];
    if (block) content[index] = { ...block, ...cacheMark };
  }
  return messages;
}
