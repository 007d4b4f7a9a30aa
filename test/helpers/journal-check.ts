// Checks the journal invariants of one idle chat.

export interface JournalRow {
  readonly id: number;
  readonly kind: string;
  readonly turnId?: string;
  readonly [field: string]: unknown;
}

interface TurnRow {
  accepted: number;
  starts: number;
  ends: number;
  /** Number of results by call id. A call counts once its arguments are complete. */
  readonly calls: Map<unknown, number>;
}

export interface ChatCheck {
  take(event: JournalRow): void;
  faults(): string[];
}

/** Checks that each accepted turn has one start and one end, no event after its end, and one result per call. */
export function createChatCheck(chatId: string): ChatCheck {
  const turns = new Map<string, TurnRow>();
  const late: string[] = [];
  const readers: Readonly<Record<string, (turn: TurnRow, event: JournalRow) => void>> = {
    message_accepted: (turn, { isSteer }) => void (turn.accepted += isSteer === true ? 0 : 1),
    turn_start: (turn) => void turn.starts++,
    turn_end: (turn) => void turn.ends++,
    tool_start: (turn, { callId, argsText }) => void (argsText === undefined || turn.calls.set(callId, 0)),
    tool_result: (turn, { callId }) => void turn.calls.set(callId, (turn.calls.get(callId) ?? 0) + 1),
  };
  return {
    take(event) {
      if (event.turnId === undefined) return;
      const turn = turns.get(event.turnId) ?? { accepted: 0, starts: 0, ends: 0, calls: new Map() };
      turns.set(event.turnId, turn);
      if (turn.ends > 0) late.push(`${chatId}: ${event.kind} ${event.id} comes after the end of ${event.turnId}`);
      readers[event.kind]?.(turn, event);
    },
    faults: () => [
      ...late,
      ...[...turns].flatMap(([turnId, { accepted, starts, ends, calls }]) => [
        ...(accepted === 1 && starts === 1 && ends === 1 ? [] : [`${turnId}: accepted ${accepted}, started ${starts}, ended ${ends} times`]),
        ...[...calls].flatMap(([callId, results]) => (results === 1 ? [] : [`${String(callId)} has ${results} results`])),
      ]),
    ],
  };
}
