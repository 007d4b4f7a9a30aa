// Builds a request of the messages API, with strictly alternating roles and content blocks.
import { recordIn } from '#lib/values';
import type { ImagePart, ModelMessage, ModelRequest, ModelRoute, ModelToolCall, ReasoningEffort } from 'agent-harness/plugins/models';

interface Block {
  readonly type: string;
  readonly [field: string]: unknown;
}
interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: Block[];
}

/** Provider-specific data besides text and calls: signed or encrypted thinking blocks, in order. */
export interface WireFields {
  readonly thinking: readonly Block[];
}

const cacheMark = { cache_control: { type: 'ephemeral' } };

export function buildRequest(request: ModelRequest, route: ModelRoute): object {
  const isMarked = !request.omit?.has('cache_control');
  const messages = wireMessages(request.messages);
  return {
    model: route.model,
    max_tokens: request.maxTokens,
    ...(request.system ? { system: [{ ...textBlock(request.system), ...(isMarked ? cacheMark : {}) }] } : {}),
    messages: isMarked ? markForCache(messages) : messages,
    ...effortOf(request, route.model),
    ...(request.tools.length > 0
      ? { tools: request.tools.map(({ name, description, input }) => ({ name, description, input_schema: input })), tool_choice: { type: 'auto' } }
      : {}),
    stream: true,
  };
}

/** Thinking budgets in tokens, for models without an effort field. */
const budgets: Readonly<Record<Exclude<ReasoningEffort, 'off'>, number>> = { low: 4_096, medium: 10_240, high: 24_576, max: 32_768 };
const leastBudget = 1_024;

/**
 * Claude 4.6 and later use adaptive thinking with an effort; earlier models use a token budget (promptfoo/promptfoo#10830). If a server rejects the first form,
 * the second one is sent, then neither.
 */
function effortOf({ effort, omit, maxTokens }: ModelRequest, model: string): object {
  if (effort === undefined || omit?.has('effort')) return {};
  if (effort === 'off') return { thinking: { type: 'disabled' } };
  if (!takesBudget(model) && !omit?.has('effort:plain')) return { thinking: { type: 'adaptive' }, output_config: { effort } };
  return { thinking: { type: 'enabled', budget_tokens: Math.max(leastBudget, Math.min(budgets[effort], maxTokens - leastBudget)) } };
}

function takesBudget(model: string): boolean {
  const [, major, minor = '0'] = /claude-(?:[a-z]+-)?(\d)(?:[-.](\d{1,2}))?(?!\d)/.exec(model) ?? [];
  return major !== undefined && Number(major) + Number(minor) / 10 < 4.6;
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
  if (wire[0]?.role !== 'user') wire.unshift({ role: 'user', content: [textBlock('(Conversation continues.)')] });
  for (const { role, content } of wire) if (role === 'user') resultsFirst(content);
  return wire;
}

function blocksOf(message: ModelMessage): Block[] {
  switch (message.role) {
    case 'system':
      return [textBlock(`<system-note>\n${message.text}\n</system-note>`)];
    case 'user':
      return [...texts(message.text), ...(message.images ?? []).map(imageBlock)];
    case 'assistant':
      return [...thinkingOf(message.providerData?.data), ...texts(message.text), ...message.toolCalls.map(toolUse)];
    case 'tool': {
      const content = [...texts(message.text), ...(message.images ?? []).map(imageBlock)];
      return [
        {
          type: 'tool_result',
          tool_use_id: message.callId,
          content: content.length > 0 ? content : [textBlock('(no output)')],
          ...(message.isError ? { is_error: true } : {}),
        },
      ];
    }
  }
}

const textBlock = (text: string): Block => ({ type: 'text', text });
/** Returns no block for blank text, because providers reject it. */
const texts = (text: string): Block[] => (text.trim() === '' ? [] : [textBlock(text)]);
const imageBlock = ({ mimeType, base64 }: ImagePart): Block => ({ type: 'image', source: { type: 'base64', media_type: mimeType, data: base64 } });
const toolUse = ({ id, name, argsText }: ModelToolCall): Block => ({ type: 'tool_use', id, name, input: recordIn(argsText) });

function thinkingOf(data: object | undefined): readonly Block[] {
  return (data as WireFields | undefined)?.thinking ?? [];
}

/** Moves results to the front, because they must directly follow the calls. */
function resultsFirst(content: Block[]): void {
  const results = content.filter((block) => block.type === 'tool_result');
  if (results.length === 0) return;
  content.splice(0, content.length, ...results, ...content.filter((block) => block.type !== 'tool_result'));
}

/**
 * Sets two cache markers: one on the stable part (the last result, otherwise the first block), and one on the end, which may be different in the next round.
 */
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
