// Tests the branches of a conversation at a message, and which of their chats the list shows.
import { expect, test } from 'vitest';
import type { ChatMeta } from 'agent-harness/client';
import { turnBefore, branchesAt } from '../../../../builtins/clients/web-ui/app/chat/transcript/again/branches.ts';
import { withoutLeft } from '../../../../builtins/clients/web-ui/app/frame/sidebar/chat-groups.ts';

const chat = (chatId: string, minute: number, branch?: ChatMeta['branch']): ChatMeta => ({
  ...{ chatId, title: chatId, workspaceMode: 'folder', workspaceRoot: '/w', workspaceFingerprint: 'path:/w', busy: false, turns: 2, mode: 'ask' },
  ...{ pinned: false, archived: false, tags: [], createdAt: new Date(minute * 60_000).toISOString(), updatedAt: new Date(minute * 60_000).toISOString() },
  ...(branch ? { branch } : {}),
});
const base = chat('base', 1);
const place = { chatId: 'base', turnId: 't2', after: 't1' };
const all = [chat('c', 4, place), base, chat('b', 3, place), chat('x', 2)];

test('lists all chats that branch at a message, seen from any of them, without a deleted base chat', () => {
  expect(branchesAt(all, 'base', 't2', 't1')).toEqual({ chatIds: ['base', 'b', 'c'], at: 0 });
  expect(branchesAt(all, 'b', 'own', 't1')).toEqual({ chatIds: ['base', 'b', 'c'], at: 1 });
  expect(branchesAt(all, 'c', 'own', 't1')).toEqual({ chatIds: ['base', 'b', 'c'], at: 2 });
  expect(branchesAt(all, 'c', 'later', 'own')).toBeUndefined();
  expect(branchesAt(all, 'x', 't2', undefined)).toMatchObject({ chatIds: ['x', 'b', 'c'], at: 0 });
  expect(branchesAt([chat('b', 3, place)], 'b', 'own', 't1')).toBeUndefined();
  expect(branchesAt([chat('b', 3, place), chat('c', 4, place)], 'c', 'own', 't1')).toEqual({ chatIds: ['b', 'c'], at: 1 });
});

test('finds the turn before a message by the previous entry with another turn', () => {
  const entry = (id: string, turnId?: string) => ({ id, kind: 'system', at: '', text: '', ...(turnId === undefined ? {} : { turnId }) }) as never;
  const entries = [entry('1', 't1'), entry('2'), entry('3', 't2'), entry('4', 't2')];
  expect([turnBefore(entries, '4'), turnBefore(entries, '3'), turnBefore(entries, '1')]).toEqual(['t1', 't1', undefined]);
});

test('shows the most recent branch, or the open one, and pinned chats', () => {
  const ids = (shownId?: string, chats = all) => withoutLeft(chats, shownId).map(({ chatId }) => chatId);
  expect(ids()).toEqual(['c', 'x']);
  expect(ids('base')).toEqual(['base', 'x']);
  expect(ids(undefined, [{ ...base, pinned: true }, ...all.filter((one) => one !== base)])).toEqual(['base', 'c', 'x']);
});
