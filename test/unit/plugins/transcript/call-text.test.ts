import { callText, durationText, partialArgs } from 'agent-harness/transcript';
import { describe, expect, it } from 'vitest';

describe('call summary line', () => {
  it.each([
    [{ subject: 'a.ts, lines 10–14', args: { path: 'a.ts' } }, 'a.ts, lines 10–14'],
    [{ subject: '', args: { path: 'a.ts' } }, ''],
    [{ args: { command: 'npm test', cwd: '/x' } }, 'npm test'],
    [{ args: { maxChars: 3, url: 'https://example.com' } }, 'https://example.com'],
    [{ args: { count: 3, other: 'words' } }, 'words'],
    [{ args: { count: 3 } }, ''],
    [{ args: ['no', 'object'] }, ''],
  ])('is the subject from the tool, else derived from the arguments: %j', (call, summary) => {
    expect(callText(call)).toBe(summary);
  });

  it('shows the first of several lines and truncates long text', () => {
    expect(callText({ args: { command: 'cd x\nmake' } })).toBe('cd x…');
    expect(callText({ args: { command: 'x'.repeat(9_000) } }).length).toBeLessThan(250);
  });

  it('parses partial arguments', () => {
    expect(callText({ argsText: '{"path":"src/a \\"b\\".ts","content":"impo' })).toBe('src/a "b".ts');
    expect(partialArgs('{"path":"src/su')).toEqual({ path: 'src/su' });
    expect(partialArgs('{"path":"a\\u00')).toEqual({ path: 'a\\u00' });
    expect(partialArgs('')).toEqual({});
  });

  it('formats durations', () => {
    expect([4.4, 999, 2_345, 53_210, 185_000].map(durationText)).toEqual(['4 ms', '999 ms', '2.3 s', '53 s', '3 min 5 s']);
  });
});
