// Builds a stateless Responses API request with the encrypted reasoning of earlier replies.
import type { ModelMessage, ModelRequest, ModelRoute, ReasoningEffort } from 'agent-harness/plugins/models';

type Item = Readonly<Record<string, unknown>>;

/** Provider-specific data besides text and calls. */
export interface WireFields {
  /** Reasoning items; `before` is the index of the call that follows, or -1 if the text follows. */
  readonly reasoning?: readonly { readonly before: number; readonly item: Item }[];
  /** Additional fields of the message, such as its phase. */
  readonly message?: Item;
}

export function buildRequest(request: ModelRequest, route: ModelRoute): object {
  const { omit = new Set(), system, messages, tools } = request;
  const reasons = isReasoning(route.model) && !omit.has('reasoning');
  return {
    model: route.model,
    ...(tools.length > 0
      ? {
          tools: tools.map(({ name, description, input }) => ({ type: 'function', name, description, parameters: input, strict: false })),
          ...(omit.has('tool_choice') ? {} : { tool_choice: 'auto' }),
        }
      : {}),
    ...(system ? { instructions: system } : {}),
    input: messages.flatMap(itemsOf),
    ...(omit.has('max_tokens') ? {} : { max_output_tokens: request.maxTokens }),
    ...reasoningOf(request, reasons),
    ...(reasons ? { include: ['reasoning.encrypted_content'] } : {}),
    store: false,
    stream: true,
  };
}

/**
 * Returns whether a model supports reasoning, based on the model names of OpenAI and xAI. For other models, reasoning fields are sent only if an effort is set.
 */
const isReasoning = (model: string): boolean => /(?:^|\/)(?:o\d|gpt-(?:[5-9]|\d\d)|grok-[3-9])/.test(model);

const efforts: Readonly<Record<ReasoningEffort, string>> = { off: 'none', low: 'low', medium: 'medium', high: 'high', max: 'xhigh' };
const plainEfforts: Readonly<Record<ReasoningEffort, string>> = { ...efforts, off: 'low', max: 'high' };

function reasoningOf({ effort, omit }: ModelRequest, reasons: boolean): object {
  const name = effort === undefined || omit?.has('effort') ? undefined : (omit?.has('effort:plain') ? plainEfforts : efforts)[effort];
  const showsSummary = reasons && !omit?.has('summary');
  return name === undefined && !showsSummary
    ? {}
    : { reasoning: { ...(name === undefined ? {} : { effort: name }), ...(showsSummary ? { summary: 'auto' } : {}) } };
}

function itemsOf(message: ModelMessage): object[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'user', content: message.text }];
    case 'user':
      return [{ role: 'user', content: message.images?.length ? partsOf(message.text, message.images) : message.text }];
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.callId, output: message.text }];
    case 'assistant': {
      const { reasoning = [], message: fields = {} } = (message.providerData?.data ?? {}) as WireFields;
      const before = (place: number): Item[] => reasoning.filter((one) => one.before === place).map(({ item }) => item);
      const said = message.text.trim() === '' ? [] : [{ ...fields, role: 'assistant', content: message.text }];
      return [
        ...before(-1),
        ...said,
        ...message.toolCalls.flatMap(({ id, name, argsText }, place) => [...before(place), { type: 'function_call', call_id: id, name, arguments: argsText }]),
      ];
    }
  }
}

function partsOf(text: string, images: readonly { readonly mimeType: string; readonly base64: string }[]): object[] {
  return [
    ...(text ? [{ type: 'input_text', text }] : []),
    ...images.map(({ mimeType, base64 }) => ({ type: 'input_image', image_url: `data:${mimeType};base64,${base64}` })),
  ];
}
