// Tests slash commands, drafts, undo messages and notifications of a hidden page.
import { expect, test } from 'vitest';
import { attentionTitle, nothingPending, noticeIn, waitingElsewhere, type Pending } from '../../../../builtins/clients/web-ui/app/attention/attention.ts';
import { describeUndo } from '../../../../builtins/turn/checkpoints/ui/describe-undo.ts';
import { leaveDrafts, readDraft, reclaimDrafts, writeDraft } from '../../../../builtins/clients/web-ui/app/kit/drafts.ts';
import { matchCommands, parseCommand, typedName } from '../../../../builtins/clients/web-ui/app/chat/composer/slash-commands.ts';

const commands = ['help', 'model', 'undo', 'un-model'].map((name) => ({ name, summary: '' }));
const namesFor = (typed: string): string[] => matchCommands(commands, typed).map(({ name }) => name);

test('suggests commands only while the name is being typed, those that start with the text first', () => {
  expect(['/', '/un', '/UN'].map(typedName)).toEqual(['', 'un', 'un']);
  for (const text of ['/undo ', '/a/b', 'x /un', '//un', '']) expect(typedName(text), text).toBeUndefined();
  expect(namesFor('')).toEqual(['help', 'model', 'undo', 'un-model']);
  expect(namesFor('mo')).toEqual(['model', 'un-model']);
  expect(namesFor('xyz')).toEqual([]);
});

test('parses a command like the server', () => {
  expect(parseCommand(' /undo  turn_1 \n')).toEqual({ name: 'undo', args: 'turn_1' });
  expect(parseCommand('/help')).toEqual({ name: 'help', args: '' });
  expect(parseCommand('/say two\nlines')).toEqual({ name: 'say', args: 'two\nlines' });
  for (const text of ['/etc/hosts', '//help', '/', 'help', '/Help', 'see /help']) expect(parseCommand(text)).toBeUndefined();
});

function createStorage() {
  const map = new Map<string, string>();
  return {
    map,
    get length() {
      return map.size;
    },
    key: (index: number) => [...map.keys()][index] ?? null,
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  };
}

test('stores one draft per chat and removes an empty one', () => {
  const [tab, left] = [createStorage(), createStorage()];
  const stores = { tab: () => tab, left: () => left };
  writeDraft(stores, 'chat_1', 'one');
  writeDraft(stores, 'chat_2', 'two');
  expect(['chat_1', 'chat_2', 'chat_3'].map((id) => readDraft(stores, id))).toEqual(['one', 'two', '']);
  writeDraft(stores, 'chat_1', '');
  expect([...tab.map.values()]).toEqual(['two']);
});

test('moves drafts of a closed tab to one other tab and keeps them after a reload', () => {
  const [first, second, third, left] = [createStorage(), createStorage(), createStorage(), createStorage()];
  const storesOf = (tab: ReturnType<typeof createStorage>) => ({ tab: () => tab, left: () => left });
  left.setItem('theme', 'dark');
  writeDraft(storesOf(first), 'chat_1', 'line one\nline two');
  expect(readDraft(storesOf(second), 'chat_1')).toBe('');
  leaveDrafts(storesOf(first), 1_000);
  reclaimDrafts(storesOf(first), 1_000);
  expect(readDraft(storesOf(second), 'chat_1')).toBe('');
  expect(readDraft(storesOf(first), 'chat_1')).toBe('line one\nline two');
  leaveDrafts(storesOf(first), 1_000);
  reclaimDrafts(storesOf(second), 2_000);
  expect([second, third].map((tab) => readDraft(storesOf(tab), 'chat_1'))).toEqual(['line one\nline two', '']);
  expect(readDraft(storesOf(second), 'chat_1')).toBe('line one\nline two');
  leaveDrafts(storesOf(second), 1_000);
  reclaimDrafts(storesOf(third), 1_000 + 31 * 86_400_000);
  expect([...left.map.keys()]).toEqual(['theme']);
});

test('works without browser storage', () => {
  const forbidden = (): never => {
    throw new Error('The operation is insecure.');
  };
  const stores = { tab: forbidden, left: forbidden };
  expect(() => [writeDraft(stores, 'chat_1', 'one'), leaveDrafts(stores, 0), reclaimDrafts(stores, 0)]).not.toThrow();
  expect(readDraft(stores, 'chat_1')).toBe('');
});

test('describes undone files, conflicts and effects that were not undone', () => {
  const none = { ok: true, restored: [], conflicts: [], restoredState: [], stateConflicts: [], merged: [], notUndone: [] };
  expect(describeUndo({ ...none, restored: ['a.ts', 'b.ts'], conflicts: ['c.ts'] })).toBe('Undone: a.ts, b.ts. Not undone because of later changes: c.ts.');
  const effect = { callId: 'c', tool: 'run_command', what: 'npm publish', effects: ['execute'] };
  expect(describeUndo({ ...none, restoredState: ['note fact:port'], merged: ['a.ts'], notUndone: [effect] })).toBe(
    'Undone: note fact:port. Later changes are kept: a.ts. Effects that cannot be undone: run_command (npm publish).',
  );
  expect(describeUndo(none)).toMatch(/^Nothing to undo/);
  expect(describeUndo({ ...none, restored: Array.from({ length: 12 }, (_, index) => `f${index}`) })).toMatch(/f9 and 2 more\.$/);
});

const call = { turnId: 't', callId: 'c', args: {}, effects: [], reason: '', expiresAt: '' };
const pending: Pending = {
  approvals: [
    { ...call, approvalId: 'a1', chatId: 'chat_1', name: 'run_command' },
    { ...call, approvalId: 'a2', chatId: 'chat_2', name: 'write_file' },
  ],
  questions: [{ askId: 'q1', chatId: 'chat_2', turnId: 't', callId: 'c', prompt: 'Which?', since: '' }],
};
const chats = [{ chatId: 'chat_2', title: 'Release' }] as unknown as Parameters<typeof waitingElsewhere>[2];

test('counts pending decisions of other chats by chat', () => {
  expect(waitingElsewhere(pending, 'chat_1', chats)).toEqual([{ chatId: 'chat_2', title: 'Release', count: 2 }]);
  expect(waitingElsewhere(pending, 'chat_2', chats)).toEqual([{ chatId: 'chat_1', title: 'another chat', count: 1 }]);
});

test('shows the number of pending decisions in the title before finished turns', () => {
  const ended = { tag: 'end t', title: 'Done', body: 'Release', chatId: 'chat_2', isWaiting: false };
  expect(attentionTitle(pending, [ended])).toBe('(3) Waiting: run_command');
  expect(attentionTitle({ ...pending, approvals: [] }, [])).toBe('(1) Waiting: a question');
  expect(attentionTitle(nothingPending, [ended])).toBe('Done: Release');
  expect(attentionTitle(nothingPending, [])).toBeUndefined();
});

test('notifies of approvals, questions and finished turns, but not of deltas and aborted turns', () => {
  const event = (kind: string, fields: object = {}) => noticeIn({ kind, at: '', chatId: 'chat_2', turnId: 't', ...fields }, chats);
  expect(event('tool_approval', { approvalId: 'a2', name: 'write_file' })).toEqual({
    tag: 'a2',
    title: 'write_file waits for approval',
    body: 'Release',
    chatId: 'chat_2',
    isWaiting: true,
  });
  expect(event('ask_user', { askId: 'q1', prompt: 'W'.repeat(500) })?.body).toHaveLength(160);
  expect(event('turn_end', { reason: 'done' })?.title).toBe('Done');
  expect(event('turn_end', { reason: 'round_limit' })?.title).toBe('Stopped: the limit of rounds or time was reached.');
  expect(event('turn_end', { reason: 'aborted' })).toBeUndefined();
  expect(event('text')).toBeUndefined();
});
