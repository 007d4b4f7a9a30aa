// Runs the hook `chat.erase` before a deleted chat is erased. During the hook, the journal can still be read from the trash.
import { join } from 'node:path';
import type { Emitter } from 'agent-harness/kernel';
import type { JournalStore } from 'agent-harness/plugins/storage';
import { parseEvent } from 'agent-harness/transcript/events';
import type { JournalEvent } from '../contract.ts';
import type { BeforeErase } from './trash.ts';

export function beforeErase(emitter: Emitter, store: JournalStore): BeforeErase {
  return async (chatId, folder) => {
    async function* read(): AsyncIterable<JournalEvent> {
      for await (const lines of store.read(join(folder, 'session.jsonl')))
        for (const { text } of lines) {
          const event = parseEvent(text);
          if (event) yield event;
        }
    }
    await emitter.call('chat.erase', [{ chatId, read }]);
  };
}
