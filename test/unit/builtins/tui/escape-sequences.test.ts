// Tests terminal control sequences: clipboard, notifications, hyperlinks and prompt marks.
import { expect, test } from 'vitest';
import { inlineRows } from '../../../../builtins/clients/tui/rows/inline-rows.ts';
import { userRows } from '../../../../builtins/clients/tui/rows/entry-rows.ts';
import { paintRow } from '../../../../builtins/clients/tui/screen/frame.ts';
import { copySequence, noticeSequence } from '../../../../builtins/clients/tui/screen/escape-sequences.ts';
import { linkedSpan, type Row } from '../../../../builtins/clients/tui/screen/spans.ts';
import { wrapRow } from '../../../../builtins/clients/tui/screen/wrap.ts';
import { Lexer } from 'marked';

const end = '\u001b\\';

test('formats a notification for the terminal in use, with the bell and tmux passthrough', () => {
  expect(noticeSequence('Look', { TERM: 'xterm-256color' })).toBe(`\u001b]9;Look${end}\u0007`);
  expect(noticeSequence('Look', { TERM: 'xterm-kitty' })).toBe(`\u001b]99;;Look${end}\u0007`);
  expect(noticeSequence('Look', { TERM: 'foot' })).toBe(`\u001b]777;notify;agent-harness;Look${end}\u0007`);
  expect(noticeSequence('Look', { TERM: 'xterm-256color', VTE_VERSION: '7600' })).toContain(']777;');
  expect(noticeSequence('Look', { TERM: 'tmux-256color', TMUX: '/tmp/x' })).toBe(`\u001bPtmux;\u001b\u001b]9;Look\u001b${end}${end}\u0007`);
});

test('splits a clipboard sequence for screen and rejects overlong text', () => {
  const text = 'x'.repeat(3_000);
  const pieces = (copySequence(text, { STY: '1.pts' }) ?? '').split(end).filter((piece) => piece !== '');
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(768);
  const joined = pieces.map((piece) => piece.replace(/^\u001bP/, '')).join('');
  expect(joined).toBe(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`);
  expect(copySequence('x'.repeat(100_000), {})).toBeUndefined();
});

test('links a web address on each wrapped row and rejects any other address', () => {
  const [row = []] = inlineRows(Lexer.lexInline('see [the long words of a link](https://example.com/a) there'));
  const rows = wrapRow(row, 24);
  const linked = rows.map((one) =>
    one
      .filter(({ link }) => link === 'https://example.com/a')
      .map(({ text }) => text)
      .join(''),
  );
  expect(linked.join('').replace(/\s/g, '')).toBe('thelongwordsofalink(https://example.com/a)');
  expect(paintRow([linkedSpan('here', '', 'https://example.com')], true)).toBe(`\u001b]8;;https://example.com${end}here\u001b]8;;${end}`);
  for (const address of ['javascript:alert(1)', 'file:///etc/passwd', `https://a\u001b\\b`, 'https://a b', `https://${'a'.repeat(2_000)}`])
    expect(linkedSpan('here', '', address).link).toBeUndefined();
});

test('marks the start of a user message once', () => {
  const rows: Row[] = userRows(
    { id: 'm', kind: 'user', turnId: 't', at: '2026-01-01T00:00:00.000Z', text: 'one\ntwo', attachments: [], state: 'accepted' },
    80,
  );
  expect(rows.map((row) => paintRow(row, false))).toEqual([`\u001b]133;A${end}› one`, '  two']);
});
