// Tests that journals of version 0.1.2 show the same entries and give the model the same messages.
import type { Entry } from 'agent-harness/transcript';
import { createConversation, emptyTranscript, reduce, type EventKind } from 'agent-harness/transcript';
import { eventSchemas } from 'agent-harness/transcript/events';
import { expect, test } from 'vitest';
import { describeAttachments } from '../../../../plugins/agent/attachment-text.ts';
import { recordedJournals } from './read-journal.ts';

const journals = recordedJournals();

function asThen(entry: Entry): unknown {
  if (entry.kind === 'system') return { ...entry, kind: 'note', text: entry.text.replace(/^Changes were undone/, 'Changes were taken back') };
  if (entry.kind === 'assistant') return { ...entry, turnMs: undefined };
  if (entry.kind !== 'tool') return entry;
  const { ok: _ok, messageId: _messageId, truncated, untrusted, argsText: _argsText, approval, question, ...rest } = entry;
  return {
    ...rest,
    ...(rest.state === 'denied' ? { state: 'failed' } : {}),
    ...(truncated === true ? { isTruncated: true } : {}),
    ...(untrusted === true ? { isUntrusted: true } : {}),
    ...(approval ? { approval: { ...approval, since: undefined, args: undefined } } : {}),
    ...(question ? { question: { ...question, since: undefined } } : {}),
  };
}
function withoutLater({ argsText: _argsText, ...entry }: any): unknown {
  const { approval, question } = entry;
  return {
    ...entry,
    ...(approval ? { approval: { ...approval, args: undefined } } : {}),
    ...(question ? { question: { ...question, since: undefined } } : {}),
  };
}

test.each(journals)('$name shows the same entries', ({ events, expected }) => {
  expect(reduce(emptyTranscript, events).state.entries.map(asThen)).toEqual(expected.entries.map(withoutLater));
});

const nameWith = (trait: string) => ({ reads_attachments: 'read_file', reads_artifacts: 'read_artifact', copies_attachments: 'copy_attachment' })[trait];

test.each(journals)('the model gets the same messages from $name', ({ events, expected }) => {
  const conversation = createConversation();
  for (const event of events) {
    const lines = describeAttachments((event['attachments'] as never) ?? [], () => undefined, nameWith);
    conversation.take(event.kind as EventKind, event, { lines });
  }
  conversation.settle();
  expect(JSON.parse(JSON.stringify(conversation.messages))).toEqual(expected.messages);
  expect(conversation.isTainted).toBe(expected.isTainted);
});

const later = ['announcement', 'approval_rehearsed', 'provider_data', 'entry_removed', 'entry_restored'];

test('the recorded journals contain every event kind of that version', () => {
  const kinds = new Set(journals.flatMap(({ events }) => events.map((event) => event.kind)));
  const unjournaled = ['compose_preview', 'harness_running', 'error'];
  expect(Object.keys(eventSchemas).filter((kind) => !kinds.has(kind) && ![...unjournaled, ...later].includes(kind))).toEqual([]);
});
