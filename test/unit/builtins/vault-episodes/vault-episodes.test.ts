import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useVaultBench, type VaultBench } from '../vault/vault-bench.ts';

const open = useVaultBench(['vault-episodes', 'files']);

async function trustFiles({ workspace, call }: VaultBench): Promise<void> {
  await writeFile(join(workspace, 'own.txt'), 'mine');
  const { subjects } = (await call('GET', '/api/workspace/trust')).body;
  const { name, digest } = subjects.find((one: { name: string }) => one.name === 'files');
  expect((await call('POST', '/api/workspace/trust', { name, digest, isTrusted: true })).status).toBe(200);
}

test('writes an episode note of each turn without a model when AGENT_MEMORY_EPISODE is 1', async () => {
  const bench = await open({ AGENT_MEMORY_EPISODE: '1' });
  await trustFiles(bench);
  const [result] = await bench.turn(
    [
      ['write_file', { path: 'src/a.txt', content: 'x' }],
      ['read_file', { path: 'none.txt' }],
      ['look', {}],
    ],
    'All written.',
  );
  const { path } = await bench.activity('episode');
  expect(path).toMatch(new RegExp(`^agent/episodes/\\d{4}-\\d\\d-\\d\\d/${result?.['turnId']}\\.md$`));
  const text = await bench.get(path);
  expect(text).toContain('title: Please look into it.');
  expect(text).toContain('result: done\n');
  expect(text).toContain('made_by: agent-harness');
  expect(text).not.toContain('unreviewed');
  expect(text.slice(text.indexOf('# '))).toBe(
    '# Please look into it.\n\n## Asked\n\n> Please look into it.\n\n## Tools\n\n- `write_file`: 1 ok\n- `read_file`: 0 ok, 1 failed\n- `look`: 1 ok\n\n' +
      '## Files changed\n\n- `src/a.txt`\n\n## Result\n\nThe turn is done.\n\nAll written.\n',
  );
  expect(bench.model.requests).toHaveLength(4);
});

test('marks the note of a turn with external content as unreviewed and records a failed turn', async () => {
  const bench = await open({ AGENT_MEMORY_EPISODE: '1' });
  await bench.turn([['web_fetch', { url: 'https://example.org/' }]]);
  expect(await bench.get((await bench.activity('episode'))['path'])).toContain('status: unreviewed');
  const { body } = await bench.send('---\nand nothing answers');
  await bench.ended(body.turnId);
  const text = await bench.get((await bench.activity('episode', 1))['path']);
  expect(text).toContain('The turn is ended by an error.');
  expect(text).toContain('> ---\n> and nothing answers');
});

test('writes no note while AGENT_MEMORY_EPISODE is off', async () => {
  const bench = await open();
  await bench.turn([['look', {}]]);
  await bench.idle();
  await bench.kernel.control.setDisabled(['vault-episodes']);
  expect(await bench.notes()).toEqual([]);
});

test('completes the turn and logs the reason when the note cannot be written', async () => {
  const bench = await open({ AGENT_MEMORY_EPISODE: '1' });
  await bench.put('agent/episodes', 'a file in the way');
  await bench.turn([['look', {}]]);
  await expect.poll(() => bench.logs.find((line) => line.includes('could not be written'))).toContain('The note agent/episodes/');
  expect(await bench.get('agent/episodes')).toBe('a file in the way');
});

test('rejects a note when no vault is configured', async () => {
  const bench = await open({ AGENT_VAULT_PATH: '', AGENT_MEMORY_EPISODE: '1' });
  const vault = bench.kernel.resolve('vault');
  const kept = { path: 'agent/a.md', frontMatter: {}, body: 'x', action: 'episode' } as const;
  await expect(vault.keep(kept, { chatId: 'c', turnId: 't' })).rejects.toMatchObject({ code: 'VAULT_ERR_NOT_WRITTEN' });
});

test('writes only under agent/ and never over a note of the user', async () => {
  const bench = await open();
  const vault = bench.kernel.resolve('vault');
  const keep = (path: string, body = 'x'): Promise<unknown> => vault.keep({ path, frontMatter: {}, body, action: 'episode' }, { chatId: 'c', turnId: 't' });
  await keep('agent/a.md', 'one');
  await keep('agent/a.md', 'two');
  expect(await bench.get('agent/a.md')).toContain('two');
  await bench.put('agent/a.md', 'mine');
  await expect(keep('agent/a.md')).rejects.toMatchObject({ code: 'VAULT_ERR_NOT_WRITTEN' });
  await expect(keep('b.md')).rejects.toMatchObject({ code: 'VAULT_ERR_NOT_WRITTEN' });
  await expect(keep('agent/../b.md')).rejects.toMatchObject({ code: 'VAULT_ERR_NOT_WRITTEN' });
  expect(await bench.get('agent/a.md')).toBe('mine');
});
