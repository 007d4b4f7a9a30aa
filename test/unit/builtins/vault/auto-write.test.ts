import { expect, test } from 'vitest';
import { useVaultBench, type VaultBench } from './vault-bench.ts';

const open = useVaultBench();
const answer = `${'Swifts sleep in the air and land only to breed. '.repeat(8)}`;
const note = '# Sleep of swifts\n\nSwifts sleep while they fly. See [[Birds]] and [[Nowhere|no note]].';
const web = ['web_fetch', { url: 'https://example.org/swifts' }] as const;
const look = ['look', {}] as const;
const isHelper = (request: { body: any }): boolean => !request.body.tools?.length;

const reply = (bench: VaultBench, text: string): void => bench.model.push({ text, when: isHelper });
const helperCalls = (bench: VaultBench): any[] => bench.model.requests.filter(isHelper).map((request) => request.body);
const settle = async (bench: VaultBench): Promise<void> => {
  await bench.idle();
  await bench.kernel.control.setDisabled(['vault']);
};

test('research: writes an unreviewed note with sources to the inbox after a turn that used the web', async () => {
  const bench = await open({ AGENT_VAULT_AUTO_WRITE: 'research' });
  await bench.put('Birds.md', '# Birds\n\nSwifts, larks, and how they sleep in the air.');
  reply(bench, note);
  await bench.turn([web], answer);
  expect(await bench.activity('auto_write')).toMatchObject({ path: 'agent/inbox/Sleep of swifts.md' });
  const text = await bench.get('agent/inbox/Sleep of swifts.md');
  expect(text).toContain('made_by: agent-harness\nstatus: unreviewed\n');
  expect(text).toContain('Swifts sleep while they fly. See [[Birds]] and no note.');
  expect(text).toContain('## Sources\n\n- <https://example.org/swifts>');
  const [request] = helperCalls(bench);
  expect(JSON.stringify(request)).toContain('- Birds');
  const { body } = await bench.call('GET', '/api/usage');
  expect(JSON.stringify(body)).toContain('"vault"');
});

test('research: skips turns without web access, with a short answer, or that wrote a note themselves', async () => {
  const bench = await open({ AGENT_VAULT_AUTO_WRITE: 'research', AGENT_YOLO: '1' });
  await bench.turn([look, look, look], answer);
  await bench.turn([web], 'Too short.');
  await bench.turn([web, ['vault_write', { title: 'Own', content: 'My own words.' }]], answer);
  await settle(bench);
  expect(helperCalls(bench)).toEqual([]);
  expect(await bench.notes()).toEqual(['agent/notes/Own.md']);
});

test('writes no note when off, and one after three calls without web access when aggressive', async () => {
  const bench = await open({ AGENT_VAULT_AUTO_WRITE: undefined as never });
  const set = (value: string): Promise<unknown> => bench.call('PUT', '/api/settings', { harness: { env: { AGENT_VAULT_AUTO_WRITE: value } } });
  await set('off');
  await bench.turn([web], answer);
  await bench.call('POST', '/api/session/reset', { mode: 'soft' });
  await set('aggressive');
  await bench.turn([look, look], answer);
  reply(bench, '# Looked\n\nThree times.');
  await bench.turn([look, look, look], 'Fine.');
  expect(await bench.activity('auto_write')).toMatchObject({ path: 'agent/notes/Looked.md' });
  expect(await bench.get('agent/notes/Looked.md')).not.toContain('unreviewed');
  expect(helperCalls(bench)).toHaveLength(1);
});

test('skips a near-duplicate and the answer NONE', async () => {
  const bench = await open({ AGENT_VAULT_AUTO_WRITE: 'research' });
  await bench.put('Swifts.md', 'Swifts sleep while they fly. See Birds and no note.');
  reply(bench, note);
  await bench.turn([web], answer);
  expect(await bench.activity('skip_duplicate')).toMatchObject({ path: 'Swifts.md' });
  reply(bench, 'NONE');
  await bench.turn([web], answer);
  await settle(bench);
  expect(await bench.notes()).toEqual(['Swifts.md']);
});

test('AGENT_VAULT_REQUIRE_LINKS: links an unlinked note from an index note, or skips it', async () => {
  const bench = await open({ AGENT_VAULT_AUTO_WRITE: 'research', AGENT_VAULT_REQUIRE_LINKS: '1' });
  reply(bench, '# Lonely\n\nNo links here, [[Nowhere]] is none.');
  await bench.turn([web], answer);
  await bench.activity('auto_write');
  expect(await bench.get('agent/inbox/Lonely.md')).toContain('Part of [[agent/inbox/Index|Index]].');
  expect(await bench.get('agent/inbox/Index.md')).toContain('- [[agent/inbox/Lonely|Lonely]]');
  await bench.put('agent/inbox/Index.md', 'A person made this list their own.');
  reply(bench, '# Other\n\nAbout something else entirely, so it is new.');
  await bench.turn([web], answer);
  expect(await bench.activity('skip_unlinked')).toMatchObject({ path: 'agent/inbox/Other.md' });
  expect(await bench.notes()).toEqual(['agent/inbox/Index.md', 'agent/inbox/Lonely.md']);
});

test('writes nothing and logs the reason when the model fails', async () => {
  const bench = await open({ AGENT_VAULT_AUTO_WRITE: 'research' });
  bench.model.push({ status: 400, when: isHelper });
  await bench.turn([web], answer);
  await expect.poll(() => bench.logs.some((line) => line.includes('could not be written'))).toBe(true);
  expect(await bench.notes()).toEqual([]);
});

test('cancels a pending note when the plugin is unloaded', async () => {
  const bench = await open({ AGENT_VAULT_AUTO_WRITE: 'research' });
  bench.model.push({ text: note, stallAfter: 0, when: isHelper });
  await bench.turn([web], answer);
  await expect.poll(() => helperCalls(bench).length).toBe(1);
  await settle(bench);
  expect(await bench.notes()).toEqual([]);
});
