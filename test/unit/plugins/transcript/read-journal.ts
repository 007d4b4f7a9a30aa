// Journals of version 0.1.2, with the expected entries and model messages.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalEvent } from 'agent-harness/plugins/chats';
import { parseEvent } from 'agent-harness/transcript/events';
import { showUndo } from '../../../../builtins/turn/checkpoints/describe-undo.ts';
import { wireEvents } from '../../../../builtins/turn/compression/wire-events.ts';
import { describeVerdict } from '../../../../builtins/turn/critic/describe-verdict.ts';

export interface RecordedJournal {
  readonly name: string;
  readonly events: readonly JournalEvent[];
  readonly text: string;
  readonly expected: { readonly entries: readonly any[]; readonly messages: readonly unknown[]; readonly isTainted: boolean };
}

const folder = join(import.meta.dirname, '../../../fixtures/journals');

/** Converts event lines of plugins that did not describe themselves yet, as the log does. */
const shows: Readonly<Record<string, ((event: never) => unknown) | undefined>> = {
  critic_verdict: describeVerdict,
  checkpoint_restored: showUndo,
  context_compressed: wireEvents.find(({ name }) => name === 'context_compressed')?.shows,
};

export function recordedJournals(): RecordedJournal[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const lines = text.trimEnd().split('\n');
      const events = lines.map((line) => {
        const event = parseEvent(line);
        if (!event) throw new Error(`${file}: ${line}`);
        const shown = shows[event.kind]?.(event as never);
        return shown ? { ...event, shown } : event;
      });
      return { name: file.replace('.jsonl', ''), text, events, expected: JSON.parse(readFileSync(join(folder, file.slice(0, -1)), 'utf8')) };
    });
}

/** Reads in page order, as the server does: newest event first. */
export const backwards = <T>(list: readonly T[]): T[] => [...list].reverse();
