// Strict model servers that reject what real servers are reported to reject, one table each. To add a provider, add a table.
import type { ScriptedReply } from '../../../helpers/scripted-model.ts';
import type { ScriptedWire } from '../../../helpers/scripted-wires.ts';

export interface Refusal {
  readonly status: number;
  readonly body: object | string;
}

export interface StrictServer {
  readonly name: string;
  /** Repositories and issue numbers of the reports behind the table. */
  readonly reports: readonly string[];
  /** Settings a user would choose for this server. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Supported wires; chat completions by default. */
  readonly wires?: readonly ScriptedWire[];
  /** Returns undefined for an accepted request. */
  refuses(body: any, wire: ScriptedWire): Refusal | undefined;
  /** Converts a reply to the format of this server. */
  readonly shape?: (reply: ScriptedReply) => ScriptedReply;
  /** Supports text only, no tools. */
  readonly hasNoTools?: boolean;
  /** Rewrites each request, as a proxy does. */
  readonly rewrites?: (body: any) => void;
}

const refusal = (message: string, status = 400, more: object = {}): Refusal => ({
  status,
  body: { error: { message, type: 'invalid_request_error', ...more } },
});
const first = (...checks: (Refusal | undefined)[]): Refusal | undefined => checks.find((one) => one !== undefined);
const when = (isWrong: boolean, message: string, status?: number, more?: object): Refusal | undefined => (isWrong ? refusal(message, status, more) : undefined);

const callsIn = (body: any): any[] => body.messages.flatMap((message: any) => message.tool_calls ?? []);
const idsIn = (body: any): string[] =>
  body.messages.flatMap((message: any) => [...(message.tool_calls ?? []).map((call: any) => call.id), ...(message.tool_call_id ? [message.tool_call_id] : [])]);
const rolesIn = (body: any): string[] => body.messages.map((message: any) => message.role);
const hasPicture = (body: any): boolean =>
  JSON.stringify(body.messages ?? body.input).includes('"image_url"') ||
  JSON.stringify(body.messages ?? body.input).includes('"type":"image"') ||
  JSON.stringify(body.input ?? '').includes('input_image');

/** Rejections common to all servers. */
export function commonRefusal(body: any, wire: ScriptedWire): Refusal | undefined {
  return first(
    when(!isWhole(body), 'unpaired surrogate in the request body'),
    wire === 'chat-completions' ? chatRefusal(body) : wire === 'messages' ? messagesRefusal(body) : responsesRefusal(body),
  );
}

function isWhole(value: unknown, key = ''): boolean {
  if (typeof value === 'string') return value.isWellFormed() && (key !== 'arguments' || !isObject(value) || isWhole(JSON.parse(value)));
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => name.isWellFormed() && isWhole(inner, name));
}

function chatRefusal(body: any): Refusal | undefined {
  const open: string[] = [];
  for (const message of body.messages) {
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id)) return refusal(`tool_call_id '${message.tool_call_id}' has no call`);
      open.splice(open.indexOf(message.tool_call_id), 1);
      continue;
    }
    if (open.length > 0) return refusal('tool calls must be followed by their results');
    open.push(...(message.tool_calls ?? []).map((call: any) => call.id));
  }
  const ids = callsIn(body).map((call) => call.id);
  return first(
    when(open.length > 0, 'tool calls must be followed by their results'),
    when(new Set(ids).size < ids.length, 'duplicate tool call id'),
    ...callsIn(body).flatMap(({ function: { name, arguments: args } }: any) => [
      when(!/^[a-zA-Z0-9_-]{1,64}$/.test(name), `invalid function name '${name}'`),
      when(!isObject(args), 'arguments must be a JSON object'),
    ]),
    ...(body.tools ?? []).map((tool: any) =>
      when(
        ['anyOf', 'oneOf', 'allOf'].some((key) => key in tool.function.parameters),
        `Invalid schema for function '${tool.function.name}': anyOf, oneOf, allOf are not supported at the top level`,
      ),
    ),
  );
}

function messagesRefusal(body: any): Refusal | undefined {
  const roles = rolesIn(body);
  return first(
    when(
      roles.some((role, at) => role === roles[at - 1]),
      'roles must alternate',
    ),
    when(roles.at(-1) !== 'user', 'This model does not support assistant message prefill. The conversation must end with a user message.'),
    ...body.messages.flatMap((message: any) =>
      message.content.map((block: any) =>
        when(block.type === 'tool_use' && !/^[a-zA-Z0-9_-]{1,64}$/.test(block.name), `tool_use name '${block.name}' is invalid`),
      ),
    ),
    when((JSON.stringify(body).match(/"cache_control"/g) ?? []).length > 4, 'A maximum of 4 blocks with cache_control may be provided'),
    ...(body.tools ?? []).map((tool: any) =>
      when(
        ['anyOf', 'oneOf', 'allOf'].some((key) => key in tool.input_schema),
        'tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level',
      ),
    ),
  );
}

function responsesRefusal(body: any): Refusal | undefined {
  const calls = body.input.filter((item: any) => item.type === 'function_call').map((item: any) => item.call_id);
  const results = body.input.filter((item: any) => item.type === 'function_call_output').map((item: any) => item.call_id);
  return first(
    when(body.store !== false, 'store must be false'),
    when(
      calls.some((id: string) => !results.includes(id)),
      'No tool output found for function call',
    ),
    when(
      results.some((id: string) => !calls.includes(id)),
      'No tool call found for function call output',
    ),
  );
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

const systemFirst = (body: any, status: number, message: string): Refusal | undefined => when(rolesIn(body).lastIndexOf('system') > 0, message, status);
const alternating = (body: any): Refusal | undefined => {
  const roles = rolesIn(body).filter((role) => role !== 'system' && role !== 'tool');
  return when(
    roles.some((role, at) => role === roles[at - 1] && role === 'user') || roles[0] !== 'user',
    'Conversation roles must alternate user/assistant/user/assistant/...',
    500,
  );
};

export const servers: readonly StrictServer[] = [
  {
    name: 'Mistral',
    reports: ['anomalyco/opencode#1680', 'nearai/ironclaw#1241', 'karthink/gptel#1203'],
    refuses: (body) =>
      first(
        when(
          idsIn(body).some((id) => !/^[a-zA-Z0-9]{9}$/.test(id)),
          'Tool call id was not 9 characters of a-z, A-Z, 0-9',
          400,
          { code: '3280' },
        ),
        when(
          rolesIn(body).some((role, at, all) => role === 'user' && all[at - 1] === 'tool'),
          "Unexpected role 'user' after role 'tool'",
          400,
          { code: '3230' },
        ),
        when(!['user', 'tool'].includes(rolesIn(body).at(-1) ?? ''), 'Expected last role User or Tool', 400, { code: '3230' }),
        when('stream_options' in body, 'Extra inputs are not permitted: stream_options', 422),
      ),
    shape: (reply) => ({
      ...reply,
      ...(reply.toolCalls ? { toolCalls: reply.toolCalls.map((call, at) => ({ ...call, id: call.id ?? `aB3xK9m${at}${at}` })) } : {}),
    }),
  },
  {
    name: 'DeepSeek with thinking',
    reports: ['earendil-works/pi#3636', 'NousResearch/hermes-agent#17212', 'AgentiLoop/Agent#22'],
    refuses: (body) =>
      when(
        body.messages.some((message: any) => message.tool_calls && !message.reasoning_content),
        'Missing `reasoning_content` field in the assistant message at index 2',
      ),
    shape: (reply) => ({ reasoning: 'I should look.', reasoningField: 'reasoning_content', ...reply }),
  },
  {
    name: 'Qwen template on llama.cpp',
    reports: ['QwenLM/Qwen3.8#244', 'ggml-org/llama.cpp#27367', 'raullenchai/Rapid-MLX#1543'],
    refuses: (body) =>
      first(
        systemFirst(body, 500, 'Jinja Exception: System message must be at the beginning.'),
        ...(body.tools ?? []).map((tool: any) => when(/"pattern":"|"\$ref":"/.test(JSON.stringify(tool)), 'Failed to parse grammar: unsupported pattern', 500)),
      ),
    shape: (reply) => ({ ...reply, usage: false }),
  },
  {
    name: 'Gemma template on llama.cpp',
    reports: ['suitenumerique/conversations#197', 'simular-ai/Agent-S#70', 'OpenSecretCloud/opensecret#120'],
    refuses: (body) => first(systemFirst(body, 500, 'Jinja Exception: System role not supported here'), alternating(body)),
  },
  {
    name: 'vLLM without a tool parser',
    reports: ['vllm-project/vllm#41114', 'anomalyco/opencode#7083'],
    hasNoTools: true,
    refuses: (body) =>
      first(
        when(Boolean(body.tools?.length), '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', 400, { code: 400 }),
        when(callsIn(body).length > 0 || rolesIn(body).includes('tool'), 'Unexpected role: tool', 400),
        alternating(body),
      ),
  },
  {
    name: 'Ollama without tools',
    reports: ['SamSaffron/term-llm#385', 'openclaw/openclaw#27868', 'FerroxLabs/wayland#389'],
    hasNoTools: true,
    refuses: (body) => when(Boolean(body.tools?.length), 'registry.ollama.ai/library/gemma3:4b does not support tools', 400),
  },
  {
    name: 'LM Studio',
    reports: ['lmstudio-ai/lmstudio-bug-tracker#830', 'langbot-app/LangBot#2262'],
    refuses: (body) =>
      first(
        systemFirst(body, 400, 'Error rendering prompt with jinja template: system message first'),
        when(hasPicture(body), 'Model does not support images. Please use a model that does.', 400),
      ),
    shape: (reply) => ({ ...reply, ...(reply.toolCalls ? { toolCalls: reply.toolCalls.map((call) => ({ ...call, id: '' })) } : {}) }),
  },
  {
    name: 'Gemini, compatible endpoint',
    reports: ['anthropics/claude-code#45106', 'evoila/meho#905', 'BerriAI/litellm#16893'],
    refuses: (body) =>
      first(
        ...(body.tools ?? []).map((tool: any) =>
          when(
            /"(?:\$schema|additionalProperties|patternProperties|const|exclusiveMinimum|\$ref)":/.test(JSON.stringify(tool.function.parameters)),
            `Invalid JSON payload received. Unknown name in function_declarations: ${tool.function.name}`,
          ),
        ),
        when(
          callsIn(body).some((call, at, all) => at === 0 && all.length > 0 && call.extra_content?.google?.thought_signature !== 'SIG'),
          'Function call is missing a thought_signature in functionCall parts.',
        ),
      ),
    shape: (reply) => ({ ...reply, signature: 'SIG' }),
  },
  {
    name: 'OpenRouter, a model without pictures',
    reports: ['anomalyco/opencode#48750', 'MoonshotAI/kimi-code#3087'],
    refuses: (body) => when(hasPicture(body), 'No endpoints found that support image input', 404, { code: 404 }),
  },
  {
    name: 'Anthropic with thinking',
    reports: ['anthropics/claude-code#52433', 'earendil-works/pi#1643', 'NousResearch/hermes-agent#1128'],
    environment: { AGENT_MODEL_WIRE: 'messages' },
    wires: ['messages'],
    refuses: (body) =>
      when(
        body.messages.some(
          (message: any) =>
            message.role === 'assistant' &&
            message.content.some((block: any) => block.type === 'tool_use') &&
            !message.content.some((block: any) => block.type === 'thinking' && block.signature === 'SIG'),
        ),
        'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.',
      ),
    shape: (reply) => ({ reasoning: 'I should look.', signature: 'SIG', ...reply }),
  },
  {
    name: 'OpenAI, tools on Responses alone',
    reports: ['BerriAI/litellm#34569', 'danny-avila/LibreChat#14231', 'charmbracelet/crush#2913', 'openai/openai-openapi#541'],
    environment: { AGENT_MODEL: 'gpt-5.6' },
    wires: ['chat-completions', 'responses'],
    refuses(body, wire) {
      if (wire === 'chat-completions')
        return when(
          Boolean(body.tools?.length) && body.reasoning_effort !== 'none',
          'Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. Please use /v1/responses instead.',
          400,
          { param: 'reasoning_effort' },
        );
      const first = body.input.findIndex((item: any) => item.type === 'function_call');
      return when(
        first >= 0 && body.input[first - 1]?.type !== 'reasoning',
        "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item",
      );
    },
    shape: (reply) => ({ reasoning: 'I should look.', signature: 'sealed', ...reply }),
  },
  {
    name: 'OpenAI behind a gateway with chat completions alone',
    reports: ['github/app#3268', 'pipecat-ai/pipecat#4043'],
    environment: { AGENT_MODEL: 'gpt-5.6' },
    refuses: (body) =>
      first(
        when(
          Boolean(body.tools?.length) && body.reasoning_effort !== 'none',
          'Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. Please use /v1/responses instead.',
          400,
          { param: 'reasoning_effort' },
        ),
        when('max_tokens' in body, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", 400, {
          code: 'unsupported_parameter',
        }),
      ),
  },
  {
    name: 'Azure style',
    reports: ['vybestack/llxprt-code#114', 'anomalyco/opencode#27672', 'anomalyco/opencode#4698'],
    refuses: (body) =>
      first(
        when('stream_options' in body, 'Unrecognized request argument supplied: stream_options', 400, { code: null, param: null }),
        when('max_tokens' in body, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", 400),
      ),
  },
  {
    name: 'a proxy that drops fields',
    reports: ['sgl-project/sglang#7048', 'odysseus-dev/odysseus#1867'],
    rewrites(body) {
      for (const message of body.messages) delete message.reasoning_content;
      delete body.stream_options;
    },
    refuses: (body) =>
      when(
        body.messages.some((message: any) => 'reasoning' in message || 'reasoning_details' in message),
        "property 'reasoning' is unsupported",
      ),
    shape: (reply) => ({ reasoning: 'I should look.', ...reply, usage: false }),
  },
];
