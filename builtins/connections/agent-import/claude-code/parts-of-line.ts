// Converts one line of a Claude Code session to messages, replies, calls and results.
import type { ImportedPart } from 'agent-harness/plugins/chats';
import { recordOf, textIn, textsOf, timeOf, type Fields } from '../texts.ts';

export function partsOfLine(line: Fields): ImportedPart[] {
  const at = timeOf(line['timestamp']);
  const when = at === undefined ? {} : { at };
  const message = recordOf(line['message']);
  if (line['type'] === 'assistant') return repliesOf(message).map((part) => ({ ...when, ...part }));
  if (line['type'] !== 'user') return [];
  const said = saidBy(line);
  return [...resultsOf(message), ...(said === undefined ? [] : [{ kind: 'user', text: said } as const])].map((part) => ({ ...when, ...part }));
}

function repliesOf({ content, model }: Fields): ImportedPart[] {
  const by = typeof model === 'string' && !model.startsWith('<') ? { model } : {};
  if (typeof content === 'string') return [{ kind: 'assistant', text: content, ...by }];
  if (!Array.isArray(content)) return [];
  return content.map(recordOf).flatMap((block): ImportedPart[] => {
    const { type, input } = block;
    if (type === 'text') return [{ kind: 'assistant', text: textIn(block, 'text') ?? '', ...by }];
    if (type === 'thinking') return [{ kind: 'assistant', channel: 'reasoning', text: textIn(block, 'thinking') ?? '', ...by }];
    const callId = textIn(block, 'id');
    if ((type !== 'tool_use' && type !== 'server_tool_use') || callId === undefined) return [];
    return [{ kind: 'call', callId, name: textIn(block, 'name') ?? 'tool', args: input }];
  });
}

function resultsOf({ content }: Fields): ImportedPart[] {
  if (!Array.isArray(content)) return [];
  return content.map(recordOf).flatMap((block): ImportedPart[] => {
    const callId = textIn(block, 'tool_use_id');
    if (block['type'] !== 'tool_result' || callId === undefined) return [];
    return [{ kind: 'result', callId, ok: block['is_error'] !== true, output: textsOf(block['content']) }];
  });
}

/** Returns the text of the user; `undefined` if the program itself wrote the line. */
export function saidBy(line: Fields): string | undefined {
  if (line['type'] !== 'user' || line['isMeta'] === true || line['isCompactSummary'] === true || line['isSidechain'] === true) return undefined;
  const text = textsOf(recordOf(line['message'])['content'])
    .replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '')
    .replace(/<(local-command-(?:stdout|stderr|caveat)|bash-(?:stdout|stderr)|command-message)>[\s\S]*?<\/\1>/g, '')
    .replace(/<command-name>\s*([\s\S]*?)\s*<\/command-name>/g, '$1')
    .replace(/<command-args>\s*([\s\S]*?)\s*<\/command-args>/g, ' $1')
    .replace(/<bash-input>([\s\S]*?)<\/bash-input>/g, '!$1')
    .trim();
  return text === '' ? undefined : text;
}
