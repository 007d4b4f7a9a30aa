// Splits the cost of a turn by purpose, plugin and message, using the usage log (cost of each call) and the journal (messages).
import { oneLine } from '#lib/text';
import type { JournalEvent } from 'agent-harness/plugins/chats';
import type { UsageRow } from 'agent-harness/plugins/models';
import { handle, type ChatEvent } from 'agent-harness/transcript';

/** The summed usage of one group of calls. */
export interface Part extends Pick<UsageRow, 'input' | 'cached' | 'output'> {
  readonly name: string;
  readonly calls: number;
  /** Cost in USD; 0 if unknown. */
  readonly cost: number;
}

const maxLine = 100;

/** Groups the calls of a turn. `byMessage` is in call order and contains only calls of the turn's own conversation. */
export function partsOf(rows: readonly UsageRow[], messages: readonly string[]): Readonly<Record<'byPurpose' | 'byPlugin' | 'byMessage', readonly Part[]>> {
  const own = rows.filter(({ purpose }) => purpose === 'chat');
  return {
    byPurpose: dearestFirst(rows, ({ purpose }) => purpose),
    byPlugin: dearestFirst(rows, ({ plugin = 'agent' }) => plugin),
    byMessage: own.map((row, at) => partOf(messages[at] ?? `Request ${at + 1}`, [row])),
  };
}

function dearestFirst(rows: readonly UsageRow[], nameOf: (row: UsageRow) => string): Part[] {
  const names = [...new Set(rows.map(nameOf))];
  const parts = names.map((name) =>
    partOf(
      name,
      rows.filter((row) => nameOf(row) === name),
    ),
  );
  return parts.sort((one, other) => other.cost - one.cost || other.input + other.output - one.input - one.output);
}

/** Sums the usage of the calls. */
export function partOf(name: string, rows: readonly UsageRow[]): Part {
  const sum = (of: (row: UsageRow) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const tokens = { input: sum(({ input }) => input), cached: sum(({ cached }) => cached), output: sum(({ output }) => output) };
  return { name, calls: rows.length, ...tokens, cost: sum(({ cost, estimate = 0 }) => cost ?? estimate) };
}

/** Returns one line per request of the turn's own conversation, with the text of the reply and its tool calls. */
export async function messagesOf(turnId: string, events: AsyncIterable<JournalEvent>): Promise<string[]> {
  const said = new Map<string, { text: string; readonly calls: Set<string>; readonly tools: string[] }>();
  const booked: (string | undefined)[] = [];
  let newest: string | undefined;
  const open = (messageId: string): NonNullable<ReturnType<(typeof said)['get']>> => {
    const message = said.get(messageId) ?? { text: '', calls: new Set(), tools: [] };
    said.set((newest = messageId), message);
    return message;
  };
  for await (const event of events) {
    if (event.turnId !== turnId) continue;
    handle(event as ChatEvent, {
      text({ messageId = '', delta = '', channel }) {
        if (channel !== 'user') return;
        const message = open(messageId);
        if (message.text.length < 10 * maxLine) message.text += delta;
      },
      tool_start({ messageId = '', callId, name = '' }) {
        const message = open(messageId);
        // The event is emitted twice: when the model starts to write a call, and when the call is complete.
        if (!message.calls.has(callId)) message.tools.push(name);
        message.calls.add(callId);
      },
      usage({ purpose }) {
        if (purpose === 'chat') booked.push(newest);
        newest = undefined;
      },
    });
  }
  return booked.map((messageId) => lineOf(messageId === undefined ? undefined : said.get(messageId)));
}

function lineOf(message: { readonly text: string; readonly tools: readonly string[] } | undefined): string {
  const calls = message && message.tools.length > 0 ? `calls ${message.tools.join(', ')}` : '';
  return oneLine([message?.text ?? '', calls].filter((part) => part.trim() !== '').join(' · '), maxLine) || '(no visible content)';
}
