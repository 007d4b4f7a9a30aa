// Tests the chat list: grouping by day, order and filter.
import { expect, test } from 'vitest';
import type { ChatMeta } from 'agent-harness/client';
import { dayOf, filterChats, linesOf } from '../../../../builtins/clients/web-ui/app/frame/sidebar/chat-groups.ts';

const now = new Date(2026, 2, 15, 9, 30);
const at = (day: number, hour: number, minute = 0): string => new Date(2026, 2, day, hour, minute).toISOString();
const chat = (title: string, updatedAt: string, workspaceRoot = '/work'): ChatMeta => ({
  ...{ chatId: title, title, workspaceMode: 'scratch', workspaceRoot, workspaceFingerprint: '', createdAt: updatedAt, updatedAt },
  ...{ busy: false, turns: 1, mode: 'ask', pinned: false, archived: false, tags: [] },
});

test('groups a chat by local calendar day, also across the end of a month and for a future time', () => {
  expect(dayOf(at(15, 0), now)).toBe('Today');
  expect(dayOf(at(14, 23, 59), now)).toBe('Yesterday');
  expect(dayOf(at(14, 0), now)).toBe('Yesterday');
  expect(dayOf(at(13, 23, 59), now)).toBe('Earlier');
  expect(dayOf(at(15, 11), now)).toBe('Today');
  expect(dayOf(new Date(2026, 1, 28, 22).toISOString(), new Date(2026, 2, 1, 8))).toBe('Yesterday');
});

test('sorts chats newest first, with a heading per day', () => {
  const lines = linesOf([chat('old', at(2, 8)), chat('new', at(15, 9)), chat('last night', at(14, 22)), chat('this night', at(15, 1))], now);
  expect(lines.map((line) => (line.kind === 'day' ? line.day : line.chat.title))).toEqual([
    ...['Today', 'new', 'this night', 'Yesterday', 'last night', 'Earlier', 'old'],
  ]);
});

test('groups chats by folder on request: pinned first, then by latest activity, scratch folders together', () => {
  const inFolder = (title: string, hour: number, root: string): ChatMeta => ({ ...chat(title, at(15, hour), root), workspaceMode: 'folder' });
  const chats = [
    inFolder('a', 7, '/x/harbour'),
    inFolder('b', 9, '/y/harbour'),
    inFolder('c', 8, '/x/harbour'),
    chat('own', at(15, 6)),
    inFolder('d', 5, '/z/quay'),
  ];
  const lines = linesOf([...chats, { ...inFolder('pinned', 1, '/z/quay'), pinned: true }], now, 'folder');
  expect(lines.map((line) => (line.kind === 'day' ? `# ${line.day} ${line.folder ?? ''}`.trim() : line.chat.title))).toEqual([
    ...['# Pinned', 'pinned', '# /y/harbour /y/harbour', 'b', '# /x/harbour /x/harbour', 'c', 'a', '# Scratch folders', 'own', '# quay /z/quay', 'd'],
  ]);
});

test('lists no rows without chats, and leaves the given list unchanged', () => {
  expect(linesOf([], now)).toEqual([]);
  const chats = Object.freeze([chat('b', at(14, 8)), chat('a', at(15, 8))]);
  expect(linesOf(chats, now)).toHaveLength(4);
  expect(chats[0]?.title).toBe('b');
});

const filtered = [chat('Über Wale', at(15, 8)), chat('Fix the parser', at(15, 7), '/home/me/compiler'), chat('Trip', at(14, 7))];
const titles = (query: string): string[] => filterChats(filtered, query).map(({ title }) => title);

test('filters chats by all words of a query in title or folder, ignoring case, accents and pattern characters', () => {
  expect(filterChats(filtered, '  ')).toBe(filtered);
  expect(titles('uber')).toEqual(['Über Wale']);
  expect(titles('ÜBER wale')).toEqual(['Über Wale']);
  expect(titles('parser compiler')).toEqual(['Fix the parser']);
  expect(titles('parser wale')).toEqual([]);
  expect(titles('.*')).toEqual([]);
});
