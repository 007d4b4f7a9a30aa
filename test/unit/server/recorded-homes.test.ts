// Tests that homes recorded by earlier versions open with all their data: chats, turns, notes, settings, undo, trash and an interrupted turn.
import { execFile } from 'node:child_process';
import { access, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runTurn, startHarness, type Harness } from '../../helpers/in-process.ts';
import { root } from '../../helpers/sources.ts';

/** The folder in which the homes were recorded, with the demo model. */
const recordedWork = '/recorded/work';

/** Unpacks a home and starts the stock server on it, with its workspace at another path. */
async function openRecorded(version: string): Promise<Harness> {
  const folder = await mkdtemp(join(tmpdir(), 'recorded-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await promisify(execFile)('tar', ['-xzf', join(root, `test/fixtures/homes/${version}.tar.gz`), '-C', folder]);
  const [home, workspace] = [join(folder, 'home'), join(folder, 'work')];
  for (const path of await readdir(home, { recursive: true })) {
    if (!/\.jsonl?$/.test(path)) continue;
    const text = await readFile(join(home, path), 'utf8');
    await writeFile(join(home, path), text.replaceAll(recordedWork, workspace));
  }
  return startHarness({ home, workspace });
}

describe.each([
  { version: '0.1.0', notes: 'active' },
  // This version stored a note of a turn with commands as pending.
  { version: '0.1.2', notes: 'pending' },
])('a home of version $version', ({ version, notes }) => {
  test('opens with its chats, turns, notes and settings, and continues', async () => {
    const harness = await openRecorded(version);
    const get = async (path: string): Promise<any> => (await harness.call('GET', path)).body;
    const { chats } = await get('/api/chats?archived=true');
    const idOf = (title: string): string => chats.find((chat: any) => chat.title === title)?.chatId;
    expect(chats.map(({ title }: any) => title)).toEqual(expect.arrayContaining(['Files', 'Commands', 'Archived', 'Interrupted']));
    expect((await get('/api/chats/trash')).chats).toMatchObject([{ title: 'Deleted' }]);

    const transcript = async (title: string): Promise<string> => JSON.stringify(await get(`/api/chats/${idOf(title)}/transcript`));
    expect(await transcript('Files')).toContain('list the files, then write notes.md with a haiku');
    expect(await transcript('Files')).toContain('Created notes.md');
    expect(await transcript('Commands')).toContain('Not now.');
    const interrupted = await transcript('Interrupted');
    expect(interrupted).toContain('run the command touch never.txt');
    expect(interrupted).toContain('interrupted');
    await expect(access(join(harness.workspace, 'never.txt'))).rejects.toThrow('ENOENT');

    expect(JSON.stringify(await get(`/api/memory?show=${notes}`))).toContain('My favourite colour is green');
    expect(harness.kernel.control.fields().find(({ key }) => key === 'AGENT_MAX_ROUNDS')).toMatchObject({ value: 33, source: 'preferences' });
    expect(JSON.stringify((await get('/api/chats/search?q=haiku')).hits)).toContain(idOf('Files'));

    const { events } = await runTurn(harness, 'list the files', { chatId: idOf('Files') } as never);
    expect(events.at(-1)).toMatchObject({ kind: 'turn_end', reason: 'done' });
    expect(harness.logs.filter((line) => line.startsWith('error'))).toEqual([]);
  });

  test('undoes a turn that was recorded by that version, and restores a chat from the trash', async () => {
    const harness = await openRecorded(version);
    const { chats } = (await harness.call('GET', '/api/chats')).body;
    const { chatId } = chats.find((chat: any) => chat.title === 'Files');
    await access(join(harness.workspace, 'plan.md'));
    const undone = await harness.call('POST', '/api/undo', { chatId });
    expect(undone).toMatchObject({ status: 200, body: { ok: true, restored: ['plan.md'], conflicts: [] } });
    await expect(access(join(harness.workspace, 'plan.md'))).rejects.toThrow('ENOENT');
    expect(await readFile(join(harness.workspace, 'notes.md'), 'utf8')).not.toBe('');

    const [gone] = (await harness.call('GET', '/api/chats/trash')).body.chats;
    expect((await harness.call('POST', `/api/chats/trash/${gone.chatId}/restore`, {})).status).toBe(200);
    expect((await harness.call('GET', '/api/chats')).body.chats.map(({ title }: any) => title)).toContain('Deleted');
  });
});
