import { callText, durationText, partialArgs } from 'agent-harness/transcript';
import { describe, expect, it } from 'vitest';

describe('the line that tells what a call is about', () => {
  it.each([
    [{ subject: 'a.ts, lines 10–14', args: { path: 'a.ts' } }, 'a.ts, lines 10–14'],
    [{ subject: '', args: { path: 'a.ts' } }, ''],
    [{ args: { command: 'npm test', cwd: '/x' } }, 'npm test'],
    [{ args: { maxChars: 3, url: 'https://example.com' } }, 'https://example.com'],
    [{ args: { count: 3, other: 'words' } }, 'words'],
    [{ args: { count: 3 } }, ''],
    [{ args: ['no', 'object'] }, ''],
  ])('is what the owner of the tool says, else made up of the arguments: %j', (call, summary) => {
    expect(callText(call)).toBe(summary);
  });

  it('shows the first line of many, and not a text without end', () => {
    expect(callText({ args: { command: 'cd x\nmake' } })).toBe('cd x…');
    expect(callText({ args: { command: 'x'.repeat(9_000) } }).length).toBeLessThan(250);
  });

  it('reads arguments that are half written', () => {
    expect(callText({ argsText: '{"path":"src/a \\"b\\".ts","content":"impo' })).toBe('src/a "b".ts');
    expect(partialArgs('{"path":"src/su')).toEqual({ path: 'src/su' });
    expect(partialArgs('{"path":"a\\u00')).toEqual({ path: 'a\\u00' });
    expect(partialArgs('')).toEqual({});
  });

  it('tells durations as people do', () => {
    expect([4.4, 999, 2_345, 53_210, 185_000].map(durationText)).toEqual(['4 ms', '999 ms', '2.3 s', '53 s', '3 min 5 s']);
  });
});
