// Replays a turn from its journal and its record, and finds the first event that is not byte-identical.
import type { EventLog, JournalEvent } from 'agent-harness/plugins/chats';
import type { Turns } from 'agent-harness/plugins/agent';
import type { Difference, SaidEvent } from './contract.ts';
import { createPlayer } from './player.ts';
import type { TurnRecord } from './record-schema.ts';

/** Events that the loop emits; the other events of a turn are emitted elsewhere. */
export const loopKinds: ReadonlySet<string> = new Set([
  ...['turn_start', 'text', 'tool_start', 'tool_running', 'tool_delta', 'tool_progress', 'tool_result', 'steer_heard'],
  ...['subtask_start', 'subtask_text', 'subtask_tool', 'subtask_end', 'turn_end'],
]);

export interface TurnEventsOf {
  /** Events up to the turn's start, including its message. */
  readonly before: readonly JournalEvent[];
  /** Events that the loop emitted. */
  readonly said: readonly SaidEvent[];
  /** Number of other events of the turn. */
  readonly others: number;
}

/** Reads a turn; returns `undefined` if the chat has no such turn, or if the turn has not ended. */
export async function readTurn(eventLog: Pick<EventLog, 'read'>, chatId: string, turnId: string): Promise<TurnEventsOf | undefined> {
  const before: JournalEvent[] = [];
  const said: SaidEvent[] = [];
  let others = 0;
  for await (const event of eventLog.read(chatId)) {
    const isOfTurn = event.turnId === turnId;
    if (said.length === 0 && !(isOfTurn && event.kind === 'turn_start')) {
      before.push(event);
      continue;
    }
    if (!isOfTurn) continue;
    if (!loopKinds.has(event.kind)) {
      others++;
      continue;
    }
    const { id: _id, at: _at, ...rest } = event;
    said.push(rest);
    if (event.kind === 'turn_end') return { before, said, others };
  }
  return undefined;
}

/** Replays a recorded turn without calling a model, running a tool or writing data. Returns the events of the loop. */
export async function playTurn(record: TurnRecord, before: readonly JournalEvent[], turns: Pick<Turns, 'stage'>): Promise<readonly SaidEvent[]> {
  const player = createPlayer(record);
  const { chatId, turnId, workspaceRoot, startedAt } = record;
  const staged = await turns.stage({ chatId, turnId, workspaceRoot, startedAt, before, ports: () => player.ports() });
  await player.play(staged);
  const end = await staged.done;
  return [...player.events.filter(({ kind }) => loopKinds.has(kind)), { kind: 'turn_end', ...end }];
}

/** Returns both versions of the first event that differs. Parts that were removed from the record as secrets count as equal. */
export function firstDifference(recorded: readonly SaidEvent[], replayed: readonly SaidEvent[]): Difference | undefined {
  for (let at = 0; at < Math.max(recorded.length, replayed.length); at++) {
    const [one, other] = [recorded[at], replayed[at]].map((event) => (event === undefined ? undefined : JSON.stringify(event)));
    if (one === other || (one !== undefined && other !== undefined && isSameButSecrets(one, other))) continue;
    return { at, ...(one === undefined ? {} : { recorded: one }), ...(other === undefined ? {} : { replayed: other }) };
  }
  return undefined;
}

function isSameButSecrets(recorded: string, replayed: string): boolean {
  if (recorded.length !== replayed.length || !replayed.includes('•')) return false;
  for (let at = 0; at < recorded.length; at++) if (recorded[at] !== replayed[at] && replayed[at] !== '•') return false;
  return true;
}
