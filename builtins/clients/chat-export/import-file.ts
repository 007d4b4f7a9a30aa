// Converts an exported file to the parts of a chat.
import { sha256 } from '#lib/hash';
import { textStart } from '#lib/text';
import type { ImportChat, ImportedPart } from 'agent-harness/plugins/chats';
import { removedText } from 'agent-harness/transcript';
import type { ExportedChat } from './exported-chat.ts';

/** Converts the file to the content of a chat. Ignores the fields that affect what the chat may do: folder, model and mode. */
export function readExported({ chat, entries }: ExportedChat): ImportChat {
  const { chatId, title, tags } = chat;
  return {
    // A chat that was imported before is imported again if its entries differ.
    source: { from: 'file', id: `${textStart(chatId, 100)} ${sha256(JSON.stringify(entries)).slice(0, 16)}` },
    title,
    tags,
    parts: partsOf(entries),
  };
}

function* partsOf(entries: ExportedChat['entries']): Generator<ImportedPart, void, undefined> {
  let count = 0;
  for (const entry of entries) {
    const { at } = entry;
    // A file cannot restore removed entries for the model.
    const isGone = entry.kind !== 'note' && entry.isTakenOut === true;
    if (entry.kind === 'user')
      yield {
        kind: 'user',
        at,
        text: [isGone ? removedText : entry.text, ...(entry.files ?? []).map((name) => `[File not included: ${name}]`)].join('\n'),
      };
    else if (entry.kind === 'assistant') {
      if (entry.reasoning !== undefined && !isGone) yield { kind: 'assistant', at, channel: 'reasoning', text: entry.reasoning };
      yield { kind: 'assistant', at, text: isGone ? removedText : entry.text };
    } else if (entry.kind === 'tool') {
      const callId = String(++count);
      const ended = Date.parse(at) + (entry.durationMs ?? 0);
      yield { kind: 'call', at, callId, name: entry.name, args: isGone ? {} : (entry.args ?? {}) };
      yield {
        kind: 'result',
        callId,
        ok: entry.ok,
        output: isGone ? removedText : entry.output,
        ...(Number.isFinite(ended) ? { at: new Date(ended).toISOString() } : {}),
      };
    }
  }
}
