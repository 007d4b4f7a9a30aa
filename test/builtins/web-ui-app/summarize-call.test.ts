import { describe, expect, it } from 'vitest';
import { cutText, plainOutput } from '../../../builtins/clients/web-ui/app/kit/cut-text.ts';
import { languageOf } from '../../../builtins/clients/web-ui/app/chat/transcript/code/language-of.ts';
import { durationText, partialArgs, summarizeCall } from '../../../builtins/clients/web-ui/app/chat/transcript/tools/summarize-call.ts';

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
    expect(summarizeCall(call)).toBe(summary);
  });

  it('shows the first line of many, and not a text without end', () => {
    expect(summarizeCall({ args: { command: 'cd x\nmake' } })).toBe('cd x…');
    expect(summarizeCall({ args: { command: 'x'.repeat(9_000) } }).length).toBeLessThan(250);
  });

  it('reads arguments that are half written', () => {
    expect(summarizeCall({ argsText: '{"path":"src/a \\"b\\".ts","content":"impo' })).toBe('src/a "b".ts');
    expect(partialArgs('{"path":"src/su')).toEqual({ path: 'src/su' });
    expect(partialArgs('{"path":"a\\u00')).toEqual({ path: 'a\\u00' });
    expect(partialArgs('')).toEqual({});
  });

  it('tells durations as people do', () => {
    expect([4.4, 999, 2_345, 53_210, 185_000].map(durationText)).toEqual(['4 ms', '999 ms', '2.3 s', '53 s', '3 min 5 s']);
  });

  it('knows languages by the ending of a file', () => {
    expect(['src/a.test.ts', 'Makefile', 'README', 'a/b/style.CSS'].map(languageOf)).toEqual(['typescript', 'makefile', '', 'css']);
  });
});

describe('long text', () => {
  it('is cut by lines, and says what is missing', () => {
    expect(cutText('a\nb\nc\nd\n', { lines: 2, chars: 100 })).toEqual({ text: 'a\nb', isCut: true, rest: '2 more lines' });
    expect(cutText('a\nb', { lines: 2, chars: 100 })).toEqual({ text: 'a\nb', isCut: false, rest: '' });
  });

  it('is cut in the middle of a line that does not end, but never of a character', () => {
    expect(cutText('x'.repeat(1_000_000), { lines: 10, chars: 100 })).toMatchObject({ text: 'x'.repeat(100), rest: '1000 kB more' });
    expect(cutText('ab🎉cd', { lines: 10, chars: 3 }).text).toBe('ab');
  });

  it('loses what only a terminal understands', () => {
    expect(plainOutput('\u001b[31mred\u001b[0m \u001b]0;title\u0007x\r\nnext')).toBe('red x\nnext');
    expect(plainOutput('10 %\r50 %\r100 %\ndone')).toBe('100 %\ndone');
  });
});
