import { chmod, mkdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectError, expectOk, useVaultBench } from './vault-bench.ts';

const open = useVaultBench();
const long = (topic: string): string => Array.from({ length: 40 }, (_, at) => `${topic} sentence ${at} says something of its own.`).join(' ');

test('a note is made under agent/ without asking, with front matter, links and mode 644, and undo takes it back', async () => {
  const bench = await open();
  await bench.put('Garden.md', 'Mine.');
  const result = await bench.use('vault_write', {
    title: 'Tomatoes: how/why?',
    content: '---\ntags: [plants]\nmade_by: me\n---\nSun. [[Nowhere]]',
    links: ['Garden', 'Gone.md'],
  });
  expect(expectOk(result)).toBe('Created agent/notes/Tomatoes how why.md. Links that lead to no note: [[Nowhere]], [[Gone]].');
  const text = await bench.get('agent/notes/Tomatoes how why.md');
  expect(text).toMatch(
    /^---\ntitle: "?Tomatoes: how\/why\?"?\ntags:\n {2}- plants\nmade_by: agent-harness\ncreated: .+\nupdated: .+\n---\n\nSun\. \[\[Nowhere\]\]\n\nRelated: \[\[Garden\]\], \[\[Gone\]\]\n$/,
  );
  expect((await stat(join(bench.vault, 'agent/notes/Tomatoes how why.md'))).mode & 0o777).toBe(0o644);
  expect(bench.stream.events.some((event) => event.kind === 'tool_approval')).toBe(false);
  expect(await bench.activity('create')).toMatchObject({ path: 'agent/notes/Tomatoes how why.md' });
  await bench.idle();
  expect((await bench.call('POST', '/api/undo', {})).status).toBe(200);
  expect(await bench.notes()).toEqual(['Garden.md']);
});

test('notes of the user are never changed, wherever they are', async () => {
  const bench = await open();
  await bench.put('Mine.md', 'mine');
  await bench.put('agent/Theirs.md', 'theirs\r\nhere\r\n');
  const results = await bench.turn([
    ['vault_write', { path: 'Mine.md', title: 'a', content: 'x', mode: 'append' }],
    ['vault_write', { path: 'Mine', title: 'a', content: 'x', mode: 'replace' }],
    ['vault_write', { path: 'New.md', title: 'a', content: 'x' }],
    ['vault_write', { path: 'agent/Theirs.md', title: 'a', content: 'x', mode: 'replace' }],
    ['vault_write', { path: 'agent/Theirs.md', title: 'a', content: 'x' }],
    ['vault_write', { path: 'agent/None.md', title: 'a', content: 'x', mode: 'append' }],
  ]);
  expect(results.map((result) => expectError(result).split('\n')[0])).toEqual([
    'Mine.md is a note of the user, and those are not changed.',
    'Mine.md is a note of the user, and those are not changed.',
    'New notes are made under agent/ only, so New.md was not made.',
    'agent/Theirs.md was written or changed by a person, so it is not replaced.',
    'There is a note agent/Theirs.md already.',
    'There is no note agent/None.md to change.',
  ]);
  expect(expectOk(await bench.use('vault_write', { path: 'agent/Theirs', title: 'a', content: 'x\ny', mode: 'append' }))).toContain(
    'it is kept as it was in agent/conflicts/Theirs ',
  );
  expect(await bench.get('agent/Theirs.md')).toBe('theirs\r\nhere\r\n\r\nx\r\ny\r\n');
  expect(await bench.get('Mine.md')).toBe('mine');
});

test('a later edit by a person is seen: no replacing, and appending keeps a copy, once for each edit', async () => {
  const bench = await open();
  const path = 'agent/notes/Plan.md';
  expectOk(await bench.use('vault_write', { title: 'Plan', content: 'one' }));
  expect(expectOk(await bench.use('vault_write', { path, title: 'Plan', content: 'two', mode: 'replace' }))).toBe(`Replaced ${path}.`);
  expect(expectOk(await bench.use('vault_write', { path, title: 'Plan', content: 'three', mode: 'append' }))).toBe(`Added to ${path}.`);
  expect(await bench.get(path)).toMatch(/two\n\nthree\n$/);
  const edited = `${await bench.get(path)}A person was here.\n`;
  await bench.put(path, edited);
  expect(expectError(await bench.use('vault_write', { path, title: 'Plan', content: 'four', mode: 'replace' }))).toContain('changed by a person');
  expect(expectOk(await bench.use('vault_write', { path, title: 'Plan', content: 'five', mode: 'append' }))).toContain('agent/conflicts/Plan ');
  expect(expectOk(await bench.use('vault_write', { path, title: 'Plan', content: 'six', mode: 'append' }))).toBe(`Added to ${path}.`);
  expect(expectError(await bench.use('vault_write', { path, title: 'Plan', content: 'seven', mode: 'replace' }))).toContain('changed by a person');
  expect(await bench.get(path)).toBe(`${edited}\nfive\n\nsix\n`);
  const copies = (await bench.notes()).filter((note) => note.startsWith('agent/conflicts/'));
  expect(copies).toHaveLength(1);
  expect(await bench.get(copies[0] ?? '')).toBe(edited);
});

test('a note of ours that the user moved out of agent/ may still be changed', async () => {
  const bench = await open();
  expectOk(await bench.use('vault_write', { title: 'Plan', content: 'one' }));
  await bench.put('Work/Plan.md', await bench.get('agent/notes/Plan.md'));
  expectOk(await bench.use('vault_write', { path: 'Work/Plan.md', title: 'Plan', content: 'two', mode: 'replace' }));
  expect(await bench.get('Work/Plan.md')).toContain('two');
});

test('paths that lead elsewhere and contents that are no note are refused', async () => {
  const bench = await open();
  await symlink(bench.workspace, join(bench.vault, 'out'));
  await mkdir(join(bench.vault, 'agent'));
  await symlink(bench.workspace, join(bench.vault, 'agent/out'));
  await symlink(join(bench.workspace, 'x.md'), join(bench.vault, 'agent/x.md'));
  const write = (args: object): readonly [string, object] => ['vault_write', { title: 'T', content: 'x', ...args }];
  const results = await bench.turn([
    write({ path: 'agent/../../evil.md' }),
    write({ path: 'agent/out/a.md' }),
    write({ path: 'agent/x.md' }),
    write({ path: 'agent/.hidden.md' }),
    write({ path: '/tmp/a.md' }),
    write({ title: '..' }),
    write({ path: `agent/${'x'.repeat(240)}.md` }),
    write({ content: '---\na: [1\n---\nx' }),
  ]);
  expect(results.map((result) => expectError(result).split('\n')[0])).toEqual([
    '"agent/../../evil.md" leads out of the vault.',
    'agent/out/a.md: a folder on the way is a symbolic link, so nothing is written there.',
    'agent/x.md is no regular file, so nothing is written there.',
    'agent/.hidden.md is hidden (a name with a dot in front), and such files are left alone.',
    '/tmp/a.md is not in the vault.',
    'The title ".." gives no file name.',
    `The name of agent/${'x'.repeat(240)}.md is too long.`,
    expect.stringContaining('its front matter is not valid YAML'),
  ]);
  expect(await bench.notes()).toEqual([]);
});

test('a note of ours that is read-only stays as it is', async () => {
  const bench = await open();
  expectOk(await bench.use('vault_write', { title: 'Plan', content: 'one' }));
  await chmod(join(bench.vault, 'agent/notes/Plan.md'), 0o444);
  expect(expectError(await bench.use('vault_write', { path: 'agent/notes/Plan', title: 'Plan', content: 'two', mode: 'replace' }))).toContain('is read-only');
});

test('AGENT_VAULT_DEDUPE: a near-duplicate is not written but named, and with 0 it is written', async () => {
  const bench = await open();
  await bench.put('Bees.md', `# Bees\n\n${long('bee')}\n`);
  const copy = { title: 'About bees', content: `${long('bee')} One more.` };
  expect(expectError(await bench.use('vault_write', copy))).toMatch(/Bees\.md \(\d+ % alike\), so nothing was written/);
  expect(await bench.activity('skip_duplicate')).toMatchObject({ path: 'Bees.md' });
  expectOk(await bench.use('vault_write', { title: 'Wasps', content: long('wasp') }));
  await bench.call('PUT', '/api/settings', { harness: { env: { AGENT_VAULT_DEDUPE: '0' } } });
  expectOk(await bench.use('vault_write', copy));
});

test('AGENT_VAULT_WRITE_BUDGET: one turn writes that many notes and no more', async () => {
  const bench = await open({ AGENT_VAULT_WRITE_BUDGET: '2' });
  const write = (title: string): readonly [string, object] => ['vault_write', { title, content: `All about ${title}.` }];
  const results = await bench.turn([write('one'), write('two'), write('three')]);
  expect(results.map((result) => result['ok'])).toEqual([true, true, false]);
  expect(expectError(results[2])).toContain('This turn wrote 2 notes already');
  expectOk(await bench.use(...write('four')));
});

test('after text from outside a write asks, and what is approved is marked as unreviewed', async () => {
  const bench = await open();
  const turn = bench.turn([
    ['web_fetch', { url: 'https://example.org/' }],
    ['vault_write', { title: 'Page', content: 'From the page.' }],
  ]);
  const asked = await bench.stream.until('tool_approval');
  expect(asked['reason']).toBe('This turn read external content, and the call would store a note in the vault.');
  await bench.call('POST', '/api/approve', { approvalId: asked['approvalId'], decision: 'approve' });
  expectOk((await turn)[1]);
  expect(await bench.get('agent/notes/Page.md')).toContain('status: unreviewed');
});

test('without checkpoints a write does not ask either', async () => {
  const bench = await open();
  await bench.call('PUT', '/api/settings', { harness: { env: {} } });
  await bench.kernel.control.setDisabled(['checkpoints']);
  expectOk(await bench.use('vault_write', { title: 'Note', content: 'text' }));
});
