// Slash commands, drafts, undo, and what a hidden page says.
import { expect, test } from 'vitest';
import { attentionTitle, nothingPending, noticeIn, waitingElsewhere, type Pending } from '../../../../builtins/clients/web-ui/app/attention/attention.ts';
import { describeUndo } from '../../../../builtins/turn/checkpoints/ui/describe-undo.ts';
import { leaveDrafts, readDraft, reclaimDrafts, writeDraft } from '../../../../builtins/clients/web-ui/app/kit/drafts.ts';
import { matchCommands, parseCommand, typedName } from '../../../../builtins/clients/web-ui/app/chat/composer/slash-commands.ts';

const commands = ['help', 'model', 'undo', 'un-model'].map((name) => ({ name, summary: '' }));
const namesFor = (typed: string): string[] => matchCommands(commands, typed).map(({ name }) => name);

test('the list is offered while the name is typed, and no longer', () => {
  expect(['/', '/un', '/UN', '/undo ', '/a/b', 'x /un', '//un', ''].map(typedName)).toEqual([
    '',
    'un',
    'un',
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('names that begin with what is typed come before those that contain it', () => {
  expect(namesFor('')).toEqual(['help', 'model', 'undo', 'un-model']);
  expect(namesFor('mo')).toEqual(['model', 'un-model']);
  expect(namesFor('xyz')).toEqual([]);
});

test('a command is read as the server reads it', () => {
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

test('each chat keeps its own draft, and an emptied one is not kept', () => {
  const [tab, left] = [createStorage(), createStorage()];
  const stores = { tab: () => tab, left: () => left };
  writeDraft(stores, 'chat_1', 'one');
  writeDraft(stores, 'chat_2', 'two');
  expect(['chat_1', 'chat_2', 'chat_3'].map((id) => readDraft(stores, id))).toEqual(['one', 'two', '']);
  writeDraft(stores, 'chat_1', '');
  expect([...tab.map.values()]).toEqual(['two']);
});

test('a closed tab leaves its drafts to one other tab; a tab that is loaded again keeps them', () => {
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

test('a browser that keeps nothing does no harm', () => {
  const forbidden = (): never => {
    throw new Error('The operation is insecure.');
  };
  const stores = { tab: forbidden, left: forbidden };
  expect(() => [writeDraft(stores, 'chat_1', 'one'), leaveDrafts(stores, 0), reclaimDrafts(stores, 0)]).not.toThrow();
  expect(readDraft(stores, 'chat_1')).toBe('');
});

test('an undo says what was taken back and what was left alone', () => {
  const none = { ok: true, restored: [], conflicts: [], restoredState: [], stateConflicts: [], merged: [], notUndone: [] };
  expect(describeUndo({ ...none, restored: ['a.ts', 'b.ts'], conflicts: ['c.ts'] })).toBe('Undone: a.ts, b.ts. Changed since and left alone: c.ts.');
  const effect = { callId: 'c', tool: 'run_command', what: 'npm publish', effects: ['execute'] };
  expect(describeUndo({ ...none, restoredState: ['note fact:port'], merged: ['a.ts'], notUndone: [effect] })).toBe(
    'Undone: note fact:port. Later changes are kept: a.ts. Not undone, since it acted outside: run_command (npm publish).',
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

test('decisions of other chats are counted by chat, those of this one are not', () => {
  expect(waitingElsewhere(pending, 'chat_1', chats)).toEqual([{ chatId: 'chat_2', title: 'Release', count: 2 }]);
  expect(waitingElsewhere(pending, 'chat_2', chats)).toEqual([{ chatId: 'chat_1', title: 'another chat', count: 1 }]);
});

test('the title says how many decisions wait, before it says what ended', () => {
  const ended = { tag: 'end t', title: 'Done', body: 'Release', chatId: 'chat_2', isWaiting: false };
  expect(attentionTitle(pending, [ended])).toBe('(3) waits: run_command');
  expect(attentionTitle({ ...pending, approvals: [] }, [])).toBe('(1) waits: a question');
  expect(attentionTitle(nothingPending, [ended])).toBe('Done: Release');
  expect(attentionTitle(nothingPending, [])).toBeUndefined();
});

test('approvals, questions and ends of turns are worth a notice; deltas and stopped turns are not', () => {
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
