import { chmod, mkdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectError, expectOk, useVaultBench } from './vault-bench.ts';

const open = useVaultBench();
const long = (topic: string): string => Array.from({ length: 40 }, (_, at) => `${topic} sentence ${at} says something of its own.`).join(' ');

test('creates a note under agent/ without approval, with front matter, links and mode 644, and undoes it', async () => {
  const bench = await open();
  await bench.put('Garden.md', 'Mine.');
  const result = await bench.use('vault_write', {
    title: 'Tomatoes: how/why?',
    content: '---\ntags: [plants]\nmade_by: me\n---\nSun. [[Nowhere]]',
    links: ['Garden', 'Gone.md'],
  });
  expect(expectOk(result)).toBe('Created agent/notes/Tomatoes how why.md. Broken links: [[Nowhere]], [[Gone]].');
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

test('never changes a note of the user, except to append under agent/', async () => {
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
    "Mine.md is the user's note and cannot be changed.",
    "Mine.md is the user's note and cannot be changed.",
    'New notes must be under agent/; New.md was not created.',
    'agent/Theirs.md was written or changed by the user; it was not replaced.',
    'Note agent/Theirs.md already exists.',
    'There is no note agent/None.md to change.',
  ]);
  expect(expectOk(await bench.use('vault_write', { path: 'agent/Theirs', title: 'a', content: 'x\ny', mode: 'append' }))).toContain(
    'that version is in agent/conflicts/Theirs ',
  );
  expect(await bench.get('agent/Theirs.md')).toBe('theirs\r\nhere\r\n\r\nx\r\ny\r\n');
  expect(await bench.get('Mine.md')).toBe('mine');
});

test("detects a user's edit: rejects replacing, and appends after storing one copy per edit", async () => {
  const bench = await open();
  const path = 'agent/notes/Plan.md';
  expectOk(await bench.use('vault_write', { title: 'Plan', content: 'one' }));
  expect(expectOk(await bench.use('vault_write', { path, title: 'Plan', content: 'two', mode: 'replace' }))).toBe(`Replaced ${path}.`);
  expect(expectOk(await bench.use('vault_write', { path, title: 'Plan', content: 'three', mode: 'append' }))).toBe(`Added to ${path}.`);
  expect(await bench.get(path)).toMatch(/two\n\nthree\n$/);
  const edited = `${await bench.get(path)}A person was here.\n`;
  await bench.put(path, edited);
  expect(expectError(await bench.use('vault_write', { path, title: 'Plan', content: 'four', mode: 'replace' }))).toContain('changed by the user');
  expect(expectOk(await bench.use('vault_write', { path, title: 'Plan', content: 'five', mode: 'append' }))).toContain('agent/conflicts/Plan ');
  expect(expectOk(await bench.use('vault_write', { path, title: 'Plan', content: 'six', mode: 'append' }))).toBe(`Added to ${path}.`);
  expect(expectError(await bench.use('vault_write', { path, title: 'Plan', content: 'seven', mode: 'replace' }))).toContain('changed by the user');
  expect(await bench.get(path)).toBe(`${edited}\nfive\n\nsix\n`);
  const copies = (await bench.notes()).filter((note) => note.startsWith('agent/conflicts/'));
  expect(copies).toHaveLength(1);
  expect(await bench.get(copies[0] ?? '')).toBe(edited);
});

test('still edits its own note after the user moved it out of agent/', async () => {
  const bench = await open();
  expectOk(await bench.use('vault_write', { title: 'Plan', content: 'one' }));
  await bench.put('Work/Plan.md', await bench.get('agent/notes/Plan.md'));
  expectOk(await bench.use('vault_write', { path: 'Work/Plan.md', title: 'Plan', content: 'two', mode: 'replace' }));
  expect(await bench.get('Work/Plan.md')).toContain('two');
});

test('rejects paths outside the vault, links, hidden files and invalid front matter', async () => {
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
    'agent/out/a.md: a parent folder is a symbolic link; nothing was written.',
    'agent/x.md is not a regular file; nothing was written.',
    'agent/.hidden.md is hidden (the name starts with a dot) and cannot be used.',
    '/tmp/a.md is not in the vault.',
    'The title ".." yields no file name.',
    `The name of agent/${'x'.repeat(240)}.md is too long.`,
    expect.stringContaining('its front matter is not valid YAML'),
  ]);
  expect(await bench.notes()).toEqual([]);
});

test('does not change its own note when it is read-only', async () => {
  const bench = await open();
  expectOk(await bench.use('vault_write', { title: 'Plan', content: 'one' }));
  await chmod(join(bench.vault, 'agent/notes/Plan.md'), 0o444);
  expect(expectError(await bench.use('vault_write', { path: 'agent/notes/Plan', title: 'Plan', content: 'two', mode: 'replace' }))).toContain('is read-only');
});

test('AGENT_VAULT_DEDUPE: rejects a near-duplicate and names the existing note, and writes it with 0', async () => {
  const bench = await open();
  await bench.put('Bees.md', `# Bees\n\n${long('bee')}\n`);
  const copy = { title: 'About bees', content: `${long('bee')} One more.` };
  expect(expectError(await bench.use('vault_write', copy))).toMatch(/Bees\.md \(\d+ % alike\); nothing was written/);
  expect(await bench.activity('skip_duplicate')).toMatchObject({ path: 'Bees.md' });
  expectOk(await bench.use('vault_write', { title: 'Wasps', content: long('wasp') }));
  await bench.call('PUT', '/api/settings', { harness: { env: { AGENT_VAULT_DEDUPE: '0' } } });
  expectOk(await bench.use('vault_write', copy));
});

test('AGENT_VAULT_WRITE_BUDGET: limits the notes written in one turn', async () => {
  const bench = await open({ AGENT_VAULT_WRITE_BUDGET: '2' });
  const write = (title: string): readonly [string, object] => ['vault_write', { title, content: `All about ${title}.` }];
  const results = await bench.turn([write('one'), write('two'), write('three')]);
  expect(results.map((result) => result['ok'])).toEqual([true, true, false]);
  expect(expectError(results[2])).toContain('This turn reached its limit of 2 written notes');
  expectOk(await bench.use(...write('four')));
});

test('requires approval for a write after external content and marks the note as unreviewed', async () => {
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

test('writes without approval when checkpoints are disabled', async () => {
  const bench = await open();
  await bench.call('PUT', '/api/settings', { harness: { env: {} } });
  await bench.kernel.control.setDisabled(['checkpoints']);
  expectOk(await bench.use('vault_write', { title: 'Note', content: 'text' }));
});
