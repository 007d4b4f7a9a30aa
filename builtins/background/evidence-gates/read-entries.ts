// Reads the full text of a chat from its journal, with the author of each entry.
import { resolve } from 'node:path';
import { pastedSpans } from '#lib/pasted';
import { wayFrom } from '#lib/paths';
import { recordIn } from '#lib/values';
import type { JournalEvent } from 'agent-harness/plugins/chats';
import type { RegisteredTool } from 'agent-harness/plugins/tools';
import { handle, isOwnersWord, isReadable, joinText } from 'agent-harness/transcript';
import type { EvidenceClass, EvidenceEntry } from './contract.ts';

export interface EntryParts {
  find(name: string): RegisteredTool | undefined;
  /** Id of the last event to skip; the user deleted the events up to it from memory. */
  readonly after: number;
  readonly workspaceRoot: string;
}

/** An entry with its call, if it is tool output or an answer to a question. */
export interface ReadEntry extends EvidenceEntry {
  readonly callId?: string;
}

type Open = { -readonly [K in keyof ReadEntry]: ReadEntry[K] };

/** Matches files that the product itself writes; they are not evidence. */
const ownFiles = /\.agent_(?:notes|heartbeat)|\.memory-(?:never|forgotten)|\/dreams?\//;

/** Reads all entries, except those before a reset of the conversation. */
export async function readEntries(events: AsyncIterable<JournalEvent>, { find, after, workspaceRoot }: EntryParts): Promise<ReadEntry[]> {
  const entries = new Map<string, Open>();
  const calls = new Map<string, { readonly name: string; readonly args: string; readonly from: string }>();
  /** Ids of turns that were answered by a command instead of a model. */
  const commands = new Set<string>();
  let isTainted = false;

  function heard(event: { readonly turnId?: string; readonly at: string }, chatId: string, entry: Omit<Open, 'chatId' | 'turnId' | 'at'>): void {
    entries.set(entry.entryId, { chatId, ...(event.turnId === undefined ? {} : { turnId: event.turnId }), at: event.at, ...entry });
  }

  for await (const event of events) {
    const { chatId } = event;
    handle<void>(event, {
      message_accepted(said) {
        const { messageId, text, origin, principal, untrusted = false, attachments = [], turnId } = said;
        if (untrusted || attachments.some(isReadable)) isTainted = true;
        if (text.startsWith('/')) return void commands.add(turnId ?? '');
        // Requests from plugins are not evidence.
        if (origin) return;
        const isOwn = isOwnersWord({ untrusted, ...(principal ? { principal } : {}) });
        const from = isOwn ? 'the user' : principal ? (principal.name ?? 'a guest') : 'an imported chat';
        heard(said, chatId, { entryId: messageId, by: 'user', class: isOwn ? 'user' : 'web', from, text });
      },
      announcement({ untrusted = false, isForModel = false }) {
        if (untrusted && isForModel) isTainted = true;
      },
      text(said) {
        const { messageId, channel, offset, delta, turnId } = said;
        if (channel !== 'user' || commands.has(turnId ?? '')) return;
        const known = entries.get(messageId);
        if (known) known.text = joinText(known.text, offset, delta);
        // After the model has read external content, its text may originate from that content.
        else
          heard(said, chatId, {
            entryId: messageId,
            by: 'assistant',
            class: isTainted ? 'web' : 'model',
            from: 'the assistant',
            text: joinText('', offset, delta),
          });
      },
      tool_start({ callId, name, args, argsText }) {
        const text = argsText ?? JSON.stringify(args ?? {});
        calls.set(callId, { name, args: text, from: /https?:\/\/([^/\s"'\\]+)/.exec(text)?.[1] ?? name });
      },
      tool_result(said) {
        const { callId, output = '', untrusted = false } = said;
        if (untrusted) isTainted = true;
        const { name = said.name ?? 'a tool', args = '', from = name } = calls.get(callId) ?? {};
        const tool = find(name);
        if (tool?.traits.some((trait) => trait === 'knowledge' || trait === 'lasting') || ownFiles.test(args)) return;
        const origin = untrusted ? 'web' : classOf(tool);
        const source = origin === 'workspace' ? { source: sourceOf(args, workspaceRoot) } : {};
        heard(said, chatId, { entryId: callId, callId, by: 'tool', class: origin, from, ...source, text: output });
      },
      ask_user_answered(said) {
        const { askId: entryId, callId, answer: text } = said;
        if (typeof text === 'string') heard(said, chatId, { entryId, callId, by: 'user', class: 'user', from: 'the user', text });
      },
      conversation_reset() {
        entries.clear();
        isTainted = false;
      },
    });
    if (event.id <= after) entries.clear();
  }
  return [...entries.values()].filter(({ text }) => text.trim() !== '');
}

/** Returns the evidence class of tool output: `workspace` for read-only tools, otherwise `tool`. */
function classOf(tool: RegisteredTool | undefined): EvidenceClass {
  return tool?.effects?.length === 1 && tool.effects[0] === 'read' ? 'workspace' : 'tool';
}

/** Returns the path in the arguments, relative to the workspace and in lower case, because file systems may be case-insensitive. */
function sourceOf(args: string, workspaceRoot: string): string {
  const { path } = recordIn(args);
  return typeof path === 'string' ? wayFrom(workspaceRoot, resolve(workspaceRoot, path)).toLowerCase() : '';
}

/** Returns the position of a quote and the class of its author; `undefined` if the quote does not occur. */
export function findQuote(
  { text, class: origin, by }: EvidenceEntry,
  quote: string,
): { readonly start: number; readonly end: number; readonly class: EvidenceClass } | undefined {
  const spans = by === 'user' ? pastedSpans(text) : [];
  let pastedHit: { start: number; end: number; class: EvidenceClass } | undefined;
  for (let start = text.indexOf(quote); start !== -1; start = text.indexOf(quote, start + 1)) {
    const end = start + quote.length;
    if (!spans.some((span) => start < span.end && end > span.start)) return { start, end, class: origin };
    pastedHit ??= { start, end, class: 'web' };
  }
  return pastedHit;
}
