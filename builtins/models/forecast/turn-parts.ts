// Splits the cost of a turn by purpose, plugin, and message: the usage log contains the cost of each call, the journal its message.
import { oneLine } from 'agent-harness/lib/text';
import type { JournalEvent } from 'agent-harness/plugins/chats';
import type { UsageRow } from 'agent-harness/plugins/models';
import { handle, type ChatEvent } from 'agent-harness/transcript';

/** Calls of one kind. */
export interface Part {
  readonly name: string;
  calls: number;
  input: number;
  cached: number;
  output: number;
  /** In USD; 0 if unknown. */
  cost: number;
}

export interface TurnParts {
  readonly byPurpose: readonly Part[];
  readonly byPlugin: readonly Part[];
  /** In order: what the model said, and which tools it called. For `chat` and `subtask` calls only. */
  readonly byMessage: readonly Part[];
}

const maxLine = 100;

export function partsOf(rows: readonly UsageRow[], messages: readonly string[]): TurnParts {
  const [purposes, plugins, calls] = [new Map<string, Part>(), new Map<string, Part>(), [] as Part[]];
  for (const row of rows) {
    const named = [partIn(purposes, row.purpose), partIn(plugins, row.plugin ?? 'agent')];
    if (row.purpose === 'chat') {
      const part = emptyPart(messages[calls.length] ?? `Request ${calls.length + 1}`);
      calls.push(part);
      named.push(part);
    }
    for (const part of named) add(part, row);
  }
  return { byPurpose: dearestFirst(purposes), byPlugin: dearestFirst(plugins), byMessage: calls };
}

/** The result of each request of the turn's own conversation, in a line: its text, and the calls that it made. */
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
        // First the model begins to write a call, then it is complete.
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
  return oneLine([message?.text ?? '', calls].filter((part) => part.trim() !== '').join(' · '), maxLine) || 'Nothing that is shown';
}

function partIn(parts: Map<string, Part>, name: string): Part {
  let found = parts.get(name);
  if (!found) parts.set(name, (found = emptyPart(name)));
  return found;
}

function add(part: Part, { input, cached, output, cost, estimate }: UsageRow): void {
  part.calls++;
  part.input += input;
  part.cached += cached;
  part.output += output;
  part.cost += cost ?? estimate ?? 0;
}

const emptyPart = (name: string): Part => ({ name, calls: 0, input: 0, cached: 0, output: 0, cost: 0 });

function dearestFirst(parts: ReadonlyMap<string, Part>): Part[] {
  return [...parts.values()].sort((one, other) => other.cost - one.cost || other.input + other.output - one.input - one.output);
}
