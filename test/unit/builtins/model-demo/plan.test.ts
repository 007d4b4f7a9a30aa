// Tests the translation of plain requests into tool calls.
import { describe, expect, test } from 'vitest';
import { planRequest } from '../../../../builtins/models/model-demo/plan.ts';
import { cpuMsOf } from '../../../helpers/cpu-time.ts';

function calls(text: string): unknown[] {
  return planRequest(text).map((step) => (step.kind === 'tool' ? [step.tool, step.args, ...(step.contentFrom ? [step.contentFrom] : [])] : step.source));
}

describe('one request', () => {
  test.each([
    ['list the files', ['list_dir', { path: '.' }]],
    ['Please list all files in src/', ['list_dir', { path: 'src/' }]],
    ['What files are there?', ['list_dir', { path: '.' }]],
    ['show me the files in the docs folder', ['list_dir', { path: 'docs' }]],
    ['ls', ['list_dir', { path: '.' }]],
    ['read notes.md', ['read_file', { path: 'notes.md' }]],
    ['Could you read the file "my notes.txt"?', ['read_file', { path: 'my notes.txt' }]],
    ['show README', ['read_file', { path: 'README' }]],
    ['write notes.md', ['write_file', { path: 'notes.md', content: '# notes.md\n\nWritten by the demo model.\n', mode: 'overwrite' }]],
    ['create hello.txt with "hello, world"', ['write_file', { path: 'hello.txt', content: 'hello, world\n', mode: 'create' }]],
    ['append "one more line" to notes.md', ['write_file', { path: 'notes.md', content: '\none more line\n', mode: 'append' }]],
    ['write hello there into a file called hi.txt', ['write_file', { path: 'hi.txt', content: 'hello there\n', mode: 'overwrite' }]],
    ['edit notes.md: replace quiet with silent', ['edit_file', { path: 'notes.md', edits: [{ search: 'quiet', replace: 'silent' }] }]],
    ['replace all "a b" with "c" in src/x.ts', ['edit_file', { path: 'src/x.ts', edits: [{ search: 'a b', replace: 'c', all: true }] }]],
    ['search for foo', ['grep_files', { pattern: 'foo', literal: true }]],
    ['search for "foo bar" in src', ['grep_files', { pattern: 'foo bar', literal: true, path: 'src' }]],
    ['find files named *.md', ['find_files', { pattern: '*.md' }]],
    ['fetch https://example.com/a,b?c=1.', ['web_fetch', { url: 'https://example.com/a,b?c=1' }]],
    ['remember that my favourite colour is green', ['remember', { key: 'favourite-colour', value: 'My favourite colour is green' }]],
    ['recall my favourite colour', ['recall_relevant', { query: 'my favourite colour' }]],
    ['what do you remember about tea?', ['recall_relevant', { query: 'tea' }]],
    ['forget my favourite colour', ['forget', { key: 'favourite-colour' }]],
    ['ask me which colour I like', ['ask_user', { prompt: 'Which colour do you like?', options: ['Blue', 'Green', 'Red'] }]],
    ['ask me what my name is', ['ask_user', { prompt: 'What is your name?' }]],
    ['ask me whether I want tea', ['ask_user', { prompt: 'Do you want tea?', options: ['Yes', 'No'] }]],
    ['ask me which size I need: small, medium or large', ['ask_user', { prompt: 'Which size do you need?', options: ['small', 'medium', 'large'] }]],
    ['call say_hello with {"name": "Ann, then Bob"}', ['say_hello', { name: 'Ann, then Bob' }]],
    ['use the tool list_things', ['list_things', {}]],
    ['run `ls -la`', ['run_command', { command: 'ls -la' }]],
    ['run the command npm test', ['run_command', { command: 'npm test' }]],
    ['run `echo a, then b; and then c`', ['run_command', { command: 'echo a, then b; and then c' }]],
  ])('%s', (text, call) => {
    expect(calls(text)).toEqual([call]);
  });

  test.each(['hello', 'what can you do?', 'write a story', 'run the tests for me', 'search the web for cats', 'call say_hello with {broken', ''])(
    'does not understand %j',
    (text) => {
      expect(planRequest(text).every((step) => step.kind === 'unknown')).toBe(true);
    },
  );
});

describe('several requests', () => {
  const haiku = { path: 'notes.md', content: expect.stringContaining('Lines of quiet text') as string, mode: 'overwrite' };

  test.each([
    ...['list the files, then write notes.md with a haiku', 'List the files and then write notes.md with a haiku.'],
    ...['list the files. Then write a haiku to notes.md', 'list the files\nwrite notes.md with a haiku', '1. list the files\n2. write notes.md with a haiku'],
    ...['list the files; write notes.md with a haiku', 'list the files and write notes.md with a haiku', 'list the files, write notes.md with a haiku'],
  ])('plans the steps in order: %j', (text) => {
    expect(calls(text)).toEqual([
      ['list_dir', { path: '.' }],
      ['write_file', haiku],
    ]);
  });

  test('does not split at a comma or "and" inside a text', () => {
    expect(calls('remember that I like tea, milk and books')).toEqual([['remember', { key: 'like-tea-milk-and-books', value: 'I like tea, milk and books' }]]);
    expect(calls('write list.txt with apples, pears and plums')).toEqual([
      ['write_file', { path: 'list.txt', content: 'apples, pears and plums\n', mode: 'overwrite' }],
    ]);
  });

  test('a later step uses the result of an earlier one', () => {
    expect(calls('ask me which colour I like, then write colour.txt with my answer')).toMatchObject([
      ['ask_user', {}],
      ['write_file', { path: 'colour.txt' }, 'answer'],
    ]);
    expect(calls('list the files and save the list to files.txt')).toMatchObject([
      ['list_dir', {}],
      ['write_file', { path: 'files.txt' }, 'result'],
    ]);
  });

  test('keeps an unknown part as its own step', () => {
    expect(calls('list the files, then dance a jig')).toEqual([['list_dir', { path: '.' }], 'dance a jig']);
  });
});

test.each(['a, ', 'edit x.y: replace ', '"', ' ', './', 'and then ', 'write ./', 'ask me a,', 'list the ', 'find "', '\n'])(
  'plans a hostile text of %j in less than a second of CPU time',
  async (piece) => {
    const spent = await cpuMsOf(() => {
      planRequest(`write ${piece.repeat(Math.floor(7_900 / piece.length))}x`);
      planRequest(piece.repeat(100_000));
    });
    expect(spent).toBeLessThan(1_000);
  },
);
