// Repairs the end of a chat's journal, and collects the data that can be derived from the journal.
import { firstLine } from '#lib/text';
import type { JournalStore, JournalWriter } from 'agent-harness/plugins/storage';
import { parseEvent } from 'agent-harness/transcript/events';

export interface ScannedJournal {
  /** The result of repairing the journal's end. */
  readonly end: Pick<JournalWriter<unknown>, 'cut' | 'aside' | 'wasOpen'>;
  /** Number of unreadable lines; they stay in the journal. */
  readonly broken: number;
  readonly greatestId: number;
  /** Number of turns started by a message. */
  readonly turns: number;
  /** The last title that was set. */
  readonly title?: string;
  /** The workspace of the chat as recorded at its creation. */
  readonly workspace?: { readonly mode: string; readonly root: string };
  /** Last recorded mode, tags and similar properties; they are not validated. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** First line of the first message. */
  readonly firstLine?: string;
  /** ISO 8601; omitted if no event is readable. */
  readonly firstAt?: string;
  readonly lastAt?: string;
}

/** Scans a journal; returns `undefined` if the file does not exist. Contract: the journal is not open for writing. */
export async function scanJournal(store: JournalStore, path: string): Promise<ScannedJournal | undefined> {
  const end = (await store.size(path)) === undefined ? undefined : store.open(path, { onFault: ignore });
  if (!end) return undefined;
  await end.close();
  const found: { -readonly [K in keyof ScannedJournal]: ScannedJournal[K] } = { end, broken: 0, greatestId: 0, turns: 0, facts: {} };
  for await (const lines of store.read(path)) {
    for (const { text } of lines) {
      const event = parseEvent(text);
      if (!event) {
        found.broken++;
        continue;
      }
      found.greatestId = Math.max(found.greatestId, event.id);
      found.firstAt ??= event.at;
      found.lastAt = event.at;
      const { workspaceMode: mode, workspaceRoot: root } = event;
      if (event.kind === 'chat_updated' && typeof mode === 'string' && typeof root === 'string') found.workspace = { mode, root };
      if (event.kind === 'chat_updated' && typeof event['title'] === 'string') found.title = event['title'];
      if (event.kind === 'chat_updated') found.facts = { ...found.facts, ...event };
      if (event.kind !== 'message_accepted' || event['isSteer'] === true) continue;
      found.turns++;
      if (event['origin'] === undefined) found.firstLine ??= firstLine(String(event['text']));
    }
  }
  return found;
}

/** Ignores write errors, which are repaired when the journal is opened next. */
function ignore(): void {}
