// Reads which turns of a chat did something, so that "the last turn" is the one that the user saw last.
import { handle } from 'agent-harness/transcript';
import type { ChatEvent } from 'agent-harness/transcript';
import type { JournalEvent } from 'agent-harness/plugins/chats';
import type { LogRecord } from './checkpoint-log.ts';

/**
 * Turns in which a model was asked or a tool was called, newest first; not those that a slash command answered.
 * @param records the log of changes; its turns count whether or not the journal has them
 */
export async function readTurnIds(events: AsyncIterable<JournalEvent>, records: readonly LogRecord[]): Promise<string[]> {
  const begun: string[] = [];
  const working = new Set(records.flatMap((record) => (record.kind === 'change' || record.kind === 'outside' ? [record.turnId] : [])));
  const logged = [...working];
  for await (const event of events) {
    const { turnId = '' } = event;
    handle(event as ChatEvent, {
      turn_start: () => void begun.push(turnId),
      tool_start: () => void working.add(turnId),
      // A crash leaves no count of rounds; a message that was dropped before its turn began took no time.
      turn_end: ({ rounds = 0, reason, durationMs = 0 }) => void ((rounds > 0 || (reason === 'interrupted' && durationMs > 0)) && working.add(turnId)),
    });
  }
  const seen = new Set(begun);
  return [...logged.filter((turnId) => !seen.has(turnId)), ...begun.filter((turnId) => working.has(turnId))].toReversed();
}
