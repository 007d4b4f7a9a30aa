import { expect, it } from 'vitest';
import { cutText } from '../../../../builtins/clients/web-ui/app/kit/cut-text.ts';
import { languageOf } from '../../../../builtins/clients/web-ui/app/kit/code/language-of.ts';

it('detects the language by file name', () => {
  expect(['src/a.test.ts', 'Makefile', 'README', 'a/b/style.CSS'].map(languageOf)).toEqual(['typescript', 'makefile', '', 'css']);
});

it('cuts long text by lines with the number of remaining lines', () => {
  expect(cutText('a\nb\nc\nd\n', { lines: 2, chars: 100 })).toEqual({ text: 'a\nb', isCut: true, rest: '2 more lines' });
  expect(cutText('a\nb', { lines: 2, chars: 100 })).toEqual({ text: 'a\nb', isCut: false, rest: '' });
});

it('cuts an overlong line, but never within a character', () => {
  expect(cutText('x'.repeat(1_000_000), { lines: 10, chars: 100 })).toMatchObject({ text: 'x'.repeat(100), rest: '1,000 kB more' });
  expect(cutText('ab🎉cd', { lines: 10, chars: 3 }).text).toBe('ab');
});
