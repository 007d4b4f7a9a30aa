// Parses the lines of a Codex rollout. A text can occur three times: as an item of the model's conversation, as a display event, and as an item of the thread.
// Which of them occur depends on the version.
import { textStart } from '#lib/text';
import { jsonOf } from '#lib/values';
import type { ImportedPart } from 'agent-harness/plugins/chats';
import { recordOf, textIn, textsOf, timeOf, type Fields } from '../texts.ts';

export interface RolloutReader {
  take(line: Fields): ImportedPart[];
}

type Said = ImportedPart & { readonly kind: 'user' | 'assistant' };

/** Matches texts that the program adds to the user's messages. */
const injected =
  /^\s*<(user_instructions|environment_context|turn_aborted|user_shell_command|skill|subagent_notification)\b|^\s*# AGENTS\.md instructions for /;
const resultTypes = new Set(['function_call_output', 'custom_tool_call_output', 'local_shell_call_output', 'mcp_tool_call_output']);

export function createRolloutReader(): RolloutReader {
  /** Texts since the user's last message, by their source. */
  let heard = new Map<string, string>();
  let model: string | undefined;

  /** Returns true only for the first occurrence of a text. */
  function isNew({ kind, text, ...part }: Said, from: string): boolean {
    const key = `${kind} ${'channel' in part ? part.channel : ''} ${text.trim()}`;
    const known = heard.get(key);
    if (known !== undefined && known !== from) return false;
    if (kind === 'user') heard = new Map();
    heard.set(key, from);
    return true;
  }

  return {
    take(line) {
      const { type } = line;
      const isWrapped = type === 'response_item' || type === 'event_msg';
      const payload = isWrapped ? recordOf(line['payload']) : line;
      if (type === 'turn_context') {
        model = textIn(recordOf(line['payload']), 'model') ?? model;
        return [];
      }
      const at = timeOf(line['timestamp']);
      const when = { ...(at === undefined ? {} : { at }) };
      const said = sayingOf(payload);
      if (said) {
        const from = type === 'event_msg' ? `event ${String(payload['type'])}` : 'item';
        if (!isNew(said, from)) return [];
        return [{ ...when, ...said, ...(said.kind === 'assistant' && model !== undefined ? { model } : {}) }];
      }
      return type === 'event_msg' ? [] : callsOf(payload).map((part) => ({ ...when, ...part }));
    },
  };
}

export function saidBy(line: Fields): string | undefined {
  const isWrapped = line['type'] === 'response_item' || line['type'] === 'event_msg';
  const said = sayingOf(isWrapped ? recordOf(line['payload']) : line);
  return said?.kind === 'user' ? said.text : undefined;
}

function sayingOf(item: Fields): Said | undefined {
  switch (item['type']) {
    case 'message':
      if (item['role'] === 'assistant') return assistant(textsOf(item['content']));
      return item['role'] === 'user' ? user(textsOf(item['content'])) : undefined;
    case 'reasoning':
      return reasoning(textsOf(item['summary'], ['summary_text', 'text']) || textsOf(item['content'], ['reasoning_text', 'text']));
    case 'user_message':
      return user(textIn(item, 'message') ?? '');
    case 'agent_message':
      return assistant(textIn(item, 'message') ?? '');
    case 'item_completed':
      return sayingOfItem(recordOf(item['item']));
    default:
      return undefined;
  }
}

function sayingOfItem(item: Fields): Said | undefined {
  const text = textIn(item, 'text') ?? textsOf(item['content'], ['text', 'Text', 'input_text', 'output_text']);
  if (item['type'] === 'UserMessage') return user(text);
  return item['type'] === 'AgentMessage' ? assistant(text) : undefined;
}

function user(text: string): Said | undefined {
  // If an editor adds its context, the user's text follows this line.
  const own = text.split('## My request for Codex:\n').at(-1) ?? '';
  return own.trim() === '' || injected.test(own) ? undefined : { kind: 'user', text: own.trim() };
}

function assistant(text: string): Said | undefined {
  return text.trim() === '' ? undefined : { kind: 'assistant', text };
}

function reasoning(text: string): Said | undefined {
  return text.trim() === '' ? undefined : { kind: 'assistant', channel: 'reasoning', text };
}

function callsOf(item: Fields): ImportedPart[] {
  const { type } = item;
  const callId = textIn(item, 'call_id') ?? textIn(item, 'id') ?? '';
  if (typeof type !== 'string') return [];
  if (type === 'function_call') return [{ kind: 'call', callId, name: textIn(item, 'name') ?? 'tool', args: argsOf(item['arguments']) }];
  if (type === 'custom_tool_call') return [{ kind: 'call', callId, name: textIn(item, 'name') ?? 'tool', args: argsOf(item['input']) }];
  if (type === 'local_shell_call') return [{ kind: 'call', callId, name: 'shell', args: recordOf(item['action']) }];
  if (type === 'web_search_call') {
    const ok = item['status'] !== 'failed';
    return [
      { kind: 'call', callId, name: 'web_search', args: recordOf(item['action']) },
      { kind: 'result', callId, ok, output: 'Its results were not saved.' },
    ];
  }
  return resultTypes.has(type) ? [{ kind: 'result', callId, ...outcomeOf(item['output']) }] : [];
}

function argsOf(given: unknown): unknown {
  return typeof given === 'string' ? (jsonOf(given) ?? { input: given }) : given;
}

/** Parses an output: a string; JSON of `{ output, metadata: { exit_code } }`; or `{ content, success }`. */
function outcomeOf(given: unknown): { readonly ok: boolean; readonly output: string } {
  if (typeof given !== 'string') {
    const { content, success } = recordOf(given);
    return { ok: success !== false, output: textsOf(Array.isArray(given) ? given : content) };
  }
  const inner = given.startsWith('{') ? recordOf(jsonOf(given)) : {};
  const output = textIn(inner, 'output');
  const exit = recordOf(inner['metadata'])['exit_code'];
  if (output !== undefined) return { ok: exit === undefined || exit === 0, output };
  const exitCode = /^(?:Process exited with|Exit) code:? (\d+)/m.exec(textStart(given, 500))?.[1];
  return { ok: exitCode === undefined || exitCode === '0', output: given };
}
