// Lists the turns of a chat in which a model or a tool worked, so that "the last turn" is the last turn that the user saw.
import { handle } from 'agent-harness/transcript';
import type { ChatEvent } from 'agent-harness/transcript';
import type { JournalEvent } from 'agent-harness/plugins/chats';
import type { LogRecord } from './checkpoint-log.ts';

/**
 * Returns turns with a model request or a tool call, newest first, without turns that a slash command answered.
 * @param records the change log; its turns are included even if the journal does not contain them
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
      // After a crash, the number of rounds is missing; a message that was dropped before its turn started has no duration.
      turn_end: ({ rounds = 0, reason, durationMs = 0 }) => void ((rounds > 0 || (reason === 'interrupted' && durationMs > 0)) && working.add(turnId)),
    });
  }
  const seen = new Set(begun);
  return [...logged.filter((turnId) => !seen.has(turnId)), ...begun.filter((turnId) => working.has(turnId))].toReversed();
}
