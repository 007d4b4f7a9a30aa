import type { Entry } from 'agent-harness/client';
import { expect, it } from 'vitest';
import { createRows } from '../../../../builtins/clients/web-ui/app/chat/transcript/rows.ts';

const at = '2026-01-01T00:00:00Z';
const user = (id: string): Entry => ({ id, kind: 'user', at, turnId: id, text: id, attachments: [], state: 'accepted' });
const reply = (id: string, turnId: string, isStreaming = false): Entry => ({ id, kind: 'assistant', at, turnId, text: id, reasoning: '', isStreaming });
const call = (id: string, messageId?: string): Entry => ({
  ...{ id, kind: 'tool', at, callId: id, name: 'read_file', state: 'ok', argsText: '', progress: [] },
  ...(messageId === undefined ? {} : { messageId }),
});

it('groups the calls of one reply and separates those of different replies', () => {
  const { rows } = createRows()([user('u'), call('a', 'm1'), call('b', 'm1'), call('c', 'm2'), call('d'), call('e')]);
  expect(rows.map((row) => (row.kind === 'tools' ? row.entries.map((one) => one.id).join('+') : row.entry.id))).toEqual(['u', 'a+b', 'c', 'd', 'e']);
});

it('groups the calls of one turn with the reasoning between them and marks the end of the turn', () => {
  const of = (id: string, turnId: string): Entry => ({ ...call(id, id), turnId });
  const thought = { ...reply('t', 'u'), text: '', reasoning: 'hm' } as Entry;
  const shape = (entries: readonly Entry[]): unknown =>
    createRows()(entries).rows.map((row) => [
      row.kind === 'tools' ? row.entries.map((one) => one.id).join('+') : row.entry.id,
      row.kind !== 'entry' && row.isTurnEnd,
    ]);
  expect(shape([user('u'), of('a', 'u'), thought, of('b', 'u'), user('v'), of('c', 'v')])).toEqual([
    ['u', false],
    ['a+t+b', true],
    ['v', false],
    ['c', true],
  ]);
  expect(shape([of('a', 'u'), reply('r', 'u'), of('b', 'u')])).toEqual([
    ['a', false],
    ['r', false],
    ['b', true],
  ]);
  const rowsOf = createRows();
  const entries = [user('u'), of('a', 'u'), thought, of('b', 'u'), of('c', 'u')];
  for (let count = 1; count <= entries.length; count++) rowsOf(entries.slice(0, count));
  expect(rowsOf(entries).rows).toEqual(createRows()(entries).rows);
});

it('reuses unchanged rows, and the whole object for the same entries', () => {
  const rowsOf = createRows();
  const entries = [user('u'), call('a', 'm'), call('b', 'm'), reply('r', 'u', true)];
  const before = rowsOf(entries).rows;
  const after = rowsOf([...entries.slice(0, 3), { ...(entries[3] as Entry), text: 'more' } as Entry]).rows;
  expect(after[0]).toBe(before[0]);
  expect(after[1]).toBe(before[1]);
  expect(after[2]).not.toBe(before[2]);
  expect(rowsOf(entries)).toBe(rowsOf(entries));
});

it('keeps the key of a growing group', () => {
  const rowsOf = createRows();
  const first = rowsOf([user('u'), call('a', 'm')]).rows[1];
  const second = rowsOf([user('u'), call('a', 'm'), call('b', 'm')]).rows[1];
  expect(second?.key).toBe(first?.key);
  expect(second?.kind === 'tools' && second.entries.length).toBe(2);
});

it('detects prepended entries', () => {
  const rowsOf = createRows();
  const entries = [user('b'), user('c')];
  expect(rowsOf(entries).isPrepended).toBe(false);
  const withOlder = [user('a'), ...entries];
  expect(rowsOf(withOlder).isPrepended).toBe(true);
  expect(rowsOf([...withOlder, user('d')]).isPrepended).toBe(false);
  expect(rowsOf([user('x'), user('y'), user('z'), user('other')]).isPrepended).toBe(false);
});

it('marks the last reply of a finished turn', () => {
  const note: Entry = { id: 'n', kind: 'system', at, turnId: 't1', text: 'Stopped.' };
  const { rows } = createRows()([user('t1'), reply('r1', 't1'), call('a', 'm'), reply('r2', 't1'), note, user('t2'), reply('r3', 't2', true)]);
  expect(rows.flatMap((row) => (row.kind === 'entry' && row.isTurnEnd ? [row.key] : []))).toEqual(['r2']);
});

it('unmarks the last reply when its turn continues', () => {
  const rowsOf = createRows();
  const entries = [user('t1'), reply('r1', 't1')];
  expect(rowsOf(entries).rows[1]).toMatchObject({ isTurnEnd: true });
  const note: Entry = { id: 'n', kind: 'system', at, text: 'The model is asked again.' };
  expect(rowsOf([...entries, note]).rows[1]).toMatchObject({ isTurnEnd: true });
  expect(rowsOf([...entries, note, { ...call('a', 'm'), turnId: 't1' }]).rows[1]).toMatchObject({ isTurnEnd: false });
});
