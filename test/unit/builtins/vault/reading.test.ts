import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectError, expectOk, useVaultBench } from './vault-bench.ts';

const open = useVaultBench();

test('registers its tools only once a vault is set, immediately after it is set in the preferences', async () => {
  const bench = await open({ AGENT_VAULT_PATH: undefined as never });
  const names = async (): Promise<string[]> =>
    (await bench.call('GET', '/api/tools')).body.tools.map((tool: any) => tool.name).filter((name: string) => name.startsWith('vault_'));
  expect(await names()).toEqual([]);
  expect((await bench.call('PUT', '/api/settings', { harness: { env: { AGENT_VAULT_PATH: bench.vault } } })).status).toBe(200);
  expect(await names()).toEqual(['vault_links', 'vault_read', 'vault_search', 'vault_write']);
});

test('finds notes by title, heading, tag and text in order of relevance, and reflects changes immediately', async () => {
  const bench = await open();
  await bench.put('garden/Tomatoes.md', '---\ntags: [plants]\n---\n# Tomatoes\n\nThey want sun.\n');
  await bench.put('Weather.md', 'Rain is good for tomatoes, said once.\n\n## Frost\n\nBad.\n');
  const first = expectOk(await bench.use('vault_search', { query: 'tomatoes' }));
  expect(first).toMatch(/1\. Tomatoes — garden\/Tomatoes\.md \(#plants\)[\s\S]*2\. Weather — Weather\.md/);
  expect(first).toContain('They want sun.');
  expect(expectOk(await bench.use('vault_search', { query: 'frost' }))).toContain('1. Weather');
  expect(expectOk(await bench.use('vault_search', { query: 'plants', limit: 1 }))).toContain('1 of 1 matching notes');
  await bench.put('Weather.md', 'Only hail now, and it is longer than before.\n');
  expect(expectOk(await bench.use('vault_search', { query: 'hail' }))).toContain('1. Weather');
  expect(expectOk(await bench.use('vault_search', { query: 'frost' }))).toContain('No notes match.');
});

test('neither finds nor reads hidden folders and links out of the vault', async () => {
  const bench = await open();
  await bench.put('.obsidian/secret.md', 'zebra');
  await bench.put('.trash/old.md', 'zebra');
  await writeFile(join(bench.workspace, 'outside.md'), 'zebra');
  await symlink(join(bench.workspace, 'outside.md'), join(bench.vault, 'link.md'));
  await symlink(bench.workspace, join(bench.vault, 'folder'));
  await symlink(join(bench.vault, 'b.md'), join(bench.vault, 'a.md'));
  await symlink(join(bench.vault, 'a.md'), join(bench.vault, 'b.md'));
  expect(expectOk(await bench.use('vault_search', { query: 'zebra' }))).toContain('No note');
  const results = await bench.turn(
    ['.obsidian/secret.md', 'link.md', 'folder/outside.md', '../outside', '..', '/etc/passwd', 'a.md', 'none', 'x\u0000y', `${'a'.repeat(300)}.md`].map(
      (path) => ['vault_read', { path }] as const,
    ),
  );
  expect(results.map((result) => expectError(result).split('\n')[0])).toEqual([
    '.obsidian/secret.md is hidden (the name starts with a dot) and cannot be used.',
    'link.md is a symbolic link out of the vault and was not opened.',
    ...['folder/outside.md is a symbolic link out of the vault and was not opened.', '"../outside" leads out of the vault.'],
    ...['".." leads out of the vault.', '/etc/passwd is not in the vault.', 'a.md: its symbolic links form a loop.'],
    ...['There is no note none.md in the vault.', 'The path of the note is empty or has control characters.', 'A name in the path is too long.'],
  ]);
});

test('rejects binary files, huge files and folders, and reports invalid front matter', async () => {
  const bench = await open();
  await bench.put('binary.md', Buffer.from([0x89, 0x50, 0, 1, 2]));
  await bench.put('latin.md', Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  await bench.put('huge.md', 'x');
  await truncate(join(bench.vault, 'huge.md'), 50 * 1024 * 1024);
  await mkdir(join(bench.vault, 'folder.md'));
  await bench.put('broken.md', '---\ntitle: [unclosed\n---\nwalrus text\n');
  const results = await bench.turn(['binary.md', 'latin.md', 'huge.md', 'folder.md'].map((path) => ['vault_read', { path }] as const));
  expect(results.map((result) => expectError(result).split('\n')[0])).toEqual([
    'binary.md is a binary file, not a UTF-8 note.',
    'latin.md is a binary file, not a UTF-8 note.',
    'huge.md has 50 MB; notes of up to 8 MB can be used.',
    'folder.md is not a note but a folder.',
  ]);
  expect(expectOk(await bench.use('vault_read', { path: 'broken' }))).toContain('its front matter is not valid YAML');
  expect(expectOk(await bench.use('vault_search', { query: 'walrus huge' }))).toContain('broken.md');
});

test('reads a note by title, alias or path, in pages, with CRLF and non-Latin names', async () => {
  const bench = await open();
  await bench.put('日本/桜の木.md', '---\r\naliases: [Cherry]\r\n---\r\n# 桜の木\r\n\r\n春に咲く。\r\n');
  await bench.put('Long.md', `${'é'.repeat(19_999)}😀${'z'.repeat(30)}`);
  await bench.put('x/Same.md', 'one');
  await bench.put('y/Same.md', 'two');
  expect(expectOk(await bench.use('vault_read', { title: 'cherry' }))).toContain('春に咲く。');
  expect(expectOk(await bench.use('vault_read', { path: '日本/桜の木' }))).not.toContain('\r');
  expect(expectOk(await bench.use('vault_search', { query: '桜' }))).toContain('桜の木.md');
  const page = expectOk(await bench.use('vault_read', { path: 'Long' }));
  expect(page).toContain('[characters 0 to 19999 of 20031; next: offset 19999]');
  expect(expectOk(await bench.use('vault_read', { path: 'Long', offset: 19_999 }))).toBe(`😀${'z'.repeat(30)}`);
  expect(expectError(await bench.use('vault_read', { path: 'Long', offset: 99_999 }))).toContain('offset 99999 is too large');
  expect(expectError(await bench.use('vault_read', { title: 'Same' }))).toContain('x/Same.md, y/Same.md');
  expect(expectError(await bench.use('vault_read', {}))).toContain('Pass path or title.');
});

test('resolves links by name, path, alias and heading, and lists backlinks and broken links', async () => {
  const bench = await open();
  await bench.put('A.md', '[[B]] [[deep/C|see C]] [[b#Part]] [[Gone]] ![[photo.png]] [[#Own]] `[[InCode]]`\n```\n[[Fenced]]\n```\n| [[Sea\\|the sea]] |\n');
  await bench.put('B.md', 'Back to [[A]].');
  await bench.put('very/deep/C.md', '---\naliases: Sea\n---\n[[A|alias]] [[C]]');
  await bench.put('photo.png', 'x');
  const output = expectOk(await bench.use('vault_links', { path: 'A' }));
  expect(output.split('\n')).toEqual([
    'Links to (4):', '- B.md', '- very/deep/C.md', '- B.md#Part', '- A.md#Own',
    'Linked from (2):', '- B.md', '- very/deep/C.md',
    'Broken links (1):', '- [[Gone]]',
  ]); // prettier-ignore
  await bench.put('Gone.pdf', 'x');
  await bench.put('D.md', '[[gone.pdf]]');
  expect(expectOk(await bench.use('vault_links', { path: 'D' }))).toContain('Broken links: none');
  expect(expectOk(await bench.use('vault_links', { path: 'Sea' }))).toContain('- A.md');
  expect(expectError(await bench.use('vault_links', { path: 'Nobody' }))).toContain('No note is called "Nobody".');
});

test('marks clippings and unreviewed notes as untrusted, but not notes of the user', async () => {
  const bench = await open();
  await bench.put('Clip.md', '---\nsource: https://example.org/a\n---\npelican facts\n');
  await bench.put('Mine.md', 'heron facts\n');
  await bench.put('agent/inbox/New.md', '---\nstatus: unreviewed\nmade_by: agent-harness\n---\nstork facts\n');
  expect(await bench.use('vault_read', { path: 'Mine' })).not.toHaveProperty('untrusted');
  expect(await bench.use('vault_search', { query: 'heron' })).not.toHaveProperty('untrusted');
  expect(await bench.use('vault_read', { path: 'Clip' })).toHaveProperty('untrusted', true);
  expect(await bench.use('vault_search', { query: 'stork' })).toMatchObject({
    untrusted: true,
    output: expect.stringContaining('[external, not reviewed]'),
  });
});

test('reports a missing vault folder with the setting to change', async () => {
  const bench = await open({ AGENT_VAULT_PATH: '/nowhere/vault' });
  expect(expectError(await bench.use('vault_search', { query: 'x' }))).toMatch(/The vault's folder \/nowhere\/vault does not exist\.[\s\S]*AGENT_VAULT_PATH/);
});

test('excludes the home folder when it is inside the vault', async () => {
  const bench = await open({}, { homeInVault: true });
  await bench.put('home/notes.md', 'zebra');
  await bench.put('Mine.md', 'lion');
  expect(expectOk(await bench.use('vault_search', { query: 'zebra' }))).toContain('No note');
  expect(expectError(await bench.use('vault_read', { path: 'home/notes' }))).toContain('and was not opened');
  expect(expectOk(await bench.use('vault_read', { path: 'Mine' }))).toBe('lion');
});

test('emits and counts vault activity, unless AGENT_VAULT_OBSERVABILITY is 0', async () => {
  const bench = await open();
  await bench.put('A.md', 'apple');
  expect(expectOk(await bench.use('vault_search', { query: 'apple' }))).toContain('[1 note in the vault; since the start: search 1]');
  const { turnId } = await bench.use('vault_read', { path: 'A' });
  expect(await bench.activity('read')).toMatchObject({ turnId, path: 'A.md', count: 1 });
  await bench.call('PUT', '/api/settings', { harness: { env: { AGENT_VAULT_OBSERVABILITY: '0' } } });
  expect(expectOk(await bench.use('vault_search', { query: 'apple' }))).toContain('[1 note in the vault]');
  expect(bench.stream.events.filter((event) => event.kind === 'vault_activity').map((event) => event['action'])).toEqual(['search', 'read']);
});

test('indexes the whole vault on the first search and only changes afterwards', async () => {
  const bench = await open();
  // VAULT_BENCH=5000 prints timings for a large vault.
  const count = Number(process.env['VAULT_BENCH'] ?? 600);
  await mkdir(join(bench.vault, 'many'));
  const words = (note: number): string =>
    Array.from({ length: 200 }, (_, at) => `w${Math.floor(((note * 31 + at * 7) % 4001) ** 2 / 4001).toString(36)}`).join(' ');
  for (let note = 0; note < count; note++) {
    await writeFile(join(bench.vault, 'many', `Note ${note}.md`), `---\ntags: [t${note % 9}]\n---\n# Note ${note}\n\n${words(note)} [[Note ${note + 1}]]\n`);
  }
  const times: number[] = [];
  for (let round = 0; round < 6; round++) times.push((await bench.use('vault_search', { query: 'w5 Note 77' }))['durationMs']);
  const [first = 0, ...later] = times;
  expect(Math.min(...later)).toBeLessThan(first / 2);
  if (process.env['VAULT_BENCH']) process.stdout.write(`${times.map((ms) => `${Math.round(ms)} ms`).join(', ')}\n`);
});
