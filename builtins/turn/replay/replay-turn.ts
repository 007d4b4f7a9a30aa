// Runs a recorded turn again, from its journal and its record, and tells whether it is the same to the byte.
import type { EventLog, JournalEvent } from 'agent-harness/plugins/chats';
import type { Turns } from 'agent-harness/plugins/agent';
import type { Difference } from './played-types.ts';
import { createPlayer } from './player.ts';
import type { SaidEvent } from './played-parts.ts';
import type { TurnRecord } from './record-types.ts';

/** What the loop itself says; of the rest of a turn others are the authors. */
export const loopKinds: ReadonlySet<string> = new Set([
  ...['turn_start', 'text', 'tool_start', 'tool_running', 'tool_delta', 'tool_progress', 'tool_result', 'steer_heard'],
  ...['subtask_start', 'subtask_text', 'subtask_tool', 'subtask_end', 'turn_end'],
]);

export interface TurnEventsOf {
  /** Up to the turn's start, its message included. */
  readonly before: readonly JournalEvent[];
  /** What the loop said. */
  readonly said: readonly SaidEvent[];
  /** How many events of the turn others said. */
  readonly others: number;
}

/** `undefined` where the chat has no such turn, or it has no end yet. */
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

/** Runs a recorded turn; asks no model, runs no tool and writes nothing. Returns the events of the loop. */
export async function playTurn(record: TurnRecord, before: readonly JournalEvent[], turns: Pick<Turns, 'stage'>): Promise<readonly SaidEvent[]> {
  const player = createPlayer(record);
  const { chatId, turnId, workspaceRoot, startedAt } = record;
  const staged = await turns.stage({ chatId, turnId, workspaceRoot, startedAt, before, ports: () => player.ports() });
  await player.play(staged);
  const end = await staged.done;
  return [...player.events.filter(({ kind }) => loopKinds.has(kind)), { kind: 'turn_end', ...end }];
}

/** Of both the first event that is not the same to the byte; what was left out of the record as a secret counts as the same. */
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
