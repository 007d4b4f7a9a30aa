// Tests the texts and the remaining time of an approval.
import { expect, test } from 'vitest';
import { rowsOf, summaryOf } from '../../../../builtins/clients/web-ui/app/chat/decisions/call-arguments.ts';
import { draftOf, fieldsOf, readFields, withDraft } from '../../../../builtins/clients/web-ui/app/chat/decisions/edit-fields.ts';
import { canUndo, describeEffects } from '../../../../builtins/clients/web-ui/app/chat/decisions/effect-texts.ts';
import { timeLeft } from '../../../../builtins/clients/web-ui/app/chat/decisions/time-left.ts';

const start = Date.parse('2026-01-01T12:00:00Z');
const asked = { since: '2026-01-01T12:00:00Z', expiresAt: '2026-01-01T12:02:00Z' };

test('shows and spells out the remaining time, urgent in the last 30 seconds, and nothing without a readable expiry time', () => {
  const textAfter = (seconds: number): string | undefined => timeLeft(asked, start + seconds * 1000, 120_000)?.text;
  expect([0, 15, 61, 90.5, 119.2, 120, 500].map(textAfter)).toEqual([
    ...['2:00 left', '1:45 left', '59 s left', '30 s left', '1 s left', 'Time is up', 'Time is up'],
  ]);
  const spokenAfter = (seconds: number): string | undefined => timeLeft(asked, start + seconds * 1000, 120_000)?.spoken;
  expect([0, 59, 119, 120].map(spokenAfter)).toEqual(['2 minutes left', '1 minute 1 second left', '1 second left', 'Time is up']);
  expect(timeLeft(asked, start + 89_000, 120_000)?.isUrgent).toBe(false);
  expect(timeLeft(asked, start + 90_000, 120_000)?.isUrgent).toBe(true);
  expect(timeLeft({ expiresAt: 'soon' }, start, 120_000)).toBeUndefined();
});

test('shrinks the bar from full to empty, also without a start time or with a wrong clock', () => {
  expect(timeLeft(asked, start, 1)?.fraction).toBe(1);
  expect(timeLeft(asked, start + 60_000, 1)?.fraction).toBe(0.5);
  expect(timeLeft({ expiresAt: asked.expiresAt }, start + 60_000, 240_000)?.fraction).toBe(0.25);
  expect(timeLeft(asked, start - 3_600_000, 120_000)?.fraction).toBe(1);
  expect(timeLeft(asked, start + 3_600_000, 120_000)).toMatchObject({ fraction: 0, seconds: 0 });
});

test('describes every effect, lists reads last, and treats a tool without effects as dangerous', () => {
  const described = describeEffects(['read', 'network', 'write', 'execute', 'external', 'read']);
  expect(described.map(({ effect }) => effect)).toEqual(['network', 'write', 'execute', 'external', 'read']);
  expect(described.at(-1)).toEqual({ effect: 'read', does: 'Reads' });
  expect(described.every(({ does }) => !does.includes('“'))).toBe(true);
  expect(describeEffects([])).toMatchObject([{ stays: 'Assume that it cannot be undone.' }]);
  expect(describeEffects(['spend'])).toEqual([{ effect: 'spend', does: 'Effect “spend”', stays: 'It may be impossible to undo.' }]);
});

test('promises undo of a command only if approving applies the changes of its preview', () => {
  const command = { effects: ['execute'], rehearsal: { state: 'ready' } } as const;
  expect([canUndo(command, false), canUndo(command, true)]).toEqual([true, false]);
  expect(canUndo({ ...command, rehearsal: { state: 'ready', ok: false } }, false)).toBe(false);
  expect(canUndo({ effects: ['write'] }, true)).toBe(true);
});

test('shows arguments as rows: strings unchanged and in full, other values as JSON, without values shown elsewhere', () => {
  expect(rowsOf({ path: 'a.txt', limit: 3, tags: ['x'] })).toEqual([
    { key: 'path', text: 'a.txt' },
    { key: 'limit', text: '3' },
    { key: 'tags', text: '[\n  "x"\n]' },
  ]);
  expect(rowsOf('odd')).toEqual([{ key: '', text: 'odd' }]);
  expect(rowsOf({ command: 'ls', cwd: '/w', timeoutMs: 5 }, ['ls', '/w'])).toEqual([{ key: 'timeoutMs', text: '5' }]);
  expect(rowsOf({ text: 'x'.repeat(3_000) })).toEqual([{ key: 'text', text: 'x'.repeat(3_000) }]);
});

test('summarizes a call in one line', () => {
  expect(summaryOf({ args: {}, preview: { kind: 'command', command: 'npm\n  test', cwd: '/' } })).toBe('npm test');
  expect(summaryOf({ args: {}, preview: { kind: 'diff', path: 'src/a.ts', diff: '' } })).toBe('src/a.ts');
  expect(summaryOf({ args: { text: 'x'.repeat(300) } })).toHaveLength(160);
  expect(summaryOf({ args: {}, preview: { kind: 'command', command: 'cat notes\u00a0', cwd: '/' } })).toBe('cat notes\u00a0');
});

test('escapes invisible characters in editable arguments', () => {
  const args = { command: 'cat notes\u00a0\u202etxt', list: ['\u200b'] };
  const fields = fieldsOf(args);
  expect(fields.map(({ text }) => text)).toEqual(['"cat notes\\u00a0\\u202etxt"', '[\n  "\\u200b"\n]']);
  expect(readFields(fields)).toEqual({ args });
});

test('edits arguments by type and returns them with the same type', () => {
  const args = { command: 'ls\n-l', timeoutMs: 3, background: false, tags: ['x'], none: null };
  const fields = fieldsOf(JSON.parse(JSON.stringify(args)));
  expect(fields.map(({ key, kind, text }) => [key, kind, text])).toEqual([
    ['command', 'text', 'ls\n-l'],
    ['timeoutMs', 'number', '3'],
    ['background', 'boolean', 'false'],
    ['tags', 'json', '[\n  "x"\n]'],
    ['none', 'json', 'null'],
  ]);
  expect(readFields(fields)).toEqual({ args: JSON.parse(JSON.stringify(args)) });
  const edited = fields.map((field) => (field.key === 'background' ? { ...field, text: 'true' } : field));
  expect(readFields(edited)).toMatchObject({ args: { background: true, timeoutMs: 3 } });
});

test('restores edited arguments from a draft, and ignores a damaged one', () => {
  const fields = fieldsOf({ path: 'a', limit: 1 });
  const edited = fields.map((field) => (field.key === 'path' ? { ...field, text: 'b' } : field));
  expect(withDraft(fields, draftOf(edited))).toEqual(edited);
  for (const draft of ['', '[', '{"path":3,"other":"x"}']) expect(withDraft(fields, draft)).toEqual(fields);
});

test('reports which edited argument is invalid and why', () => {
  expect(readFields([{ key: 'limit', kind: 'number', text: 'many' }])).toEqual({ key: 'limit', problem: 'limit must be a number.' });
  expect(readFields([{ key: 'tags', kind: 'json', text: '[' }])).toEqual({ key: 'tags', problem: expect.stringMatching(/^tags is not valid JSON: /) });
});
