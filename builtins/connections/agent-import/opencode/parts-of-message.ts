// Converts one opencode message with its parts to entries of a chat.
import type { ImportedPart } from 'agent-harness/plugins/chats';
import { recordOf, textIn, timeOf, type Fields } from '../texts.ts';

export function partsOfMessage(message: Fields, parts: readonly Fields[]): ImportedPart[] {
  const at = timeOf(recordOf(message['time'])['created']);
  const when = at === undefined ? {} : { at };
  // Excludes parts that are marked as added by the program.
  const own = parts.filter((part) => part['synthetic'] !== true && part['ignored'] !== true);
  if (message['role'] === 'user') {
    const text = own.map(wordsOf).filter(Boolean).join('\n');
    return text === '' ? [] : [{ ...when, kind: 'user', text }];
  }
  const model = textIn(message, 'modelID');
  return own.flatMap((part) => replyOf(part, model)).map((part) => ({ ...when, ...part }));
}

function wordsOf(part: Fields): string {
  if (part['type'] === 'text') return textIn(part, 'text') ?? '';
  return part['type'] === 'file' ? `[A file, not imported: ${textIn(part, 'filename') ?? 'unnamed'}]` : '';
}

function replyOf(part: Fields, model: string | undefined): ImportedPart[] {
  const by = model === undefined ? {} : { model };
  const text = textIn(part, 'text') ?? '';
  if (part['type'] === 'text') return [{ kind: 'assistant', text, ...by }];
  if (part['type'] === 'reasoning') return [{ kind: 'assistant', channel: 'reasoning', text, ...by }];
  const callId = textIn(part, 'callID') ?? textIn(part, 'id');
  if (part['type'] !== 'tool' || callId === undefined) return [];
  const state = recordOf(part['state']);
  const { start, end } = recordOf(state['time']);
  const [began, ended] = [timeOf(start), timeOf(end)];
  const call = {
    kind: 'call',
    callId,
    name: textIn(part, 'tool') ?? 'tool',
    args: recordOf(state['input']),
    ...(began === undefined ? {} : { at: began }),
  } as const;
  const when = ended === undefined ? {} : { at: ended };
  if (state['status'] === 'completed') return [call, { kind: 'result', callId, ok: true, output: textIn(state, 'output') ?? '', ...when }];
  if (state['status'] === 'error') return [call, { kind: 'result', callId, ok: false, output: textIn(state, 'error') ?? 'It failed.', ...when }];
  return [call];
}
