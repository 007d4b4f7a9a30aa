import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runCommandLine } from '../../../helpers/command-line.ts';
import { type Harness, runTurn, startHarness, useFolder } from '../../../helpers/in-process.ts';

const place = { home: useFolder('repair-'), workspace: useFolder('repair-work-') };
let chatFolder: string;
let server: Harness;
beforeEach(async () => {
  server = await startHarness(place);
  await runTurn(server, 'hello');
  chatFolder = join(place.home, 'chats', (await server.call('GET', '/api/chats')).body.activeChatId);
});

async function doctor(...argv: string[]): Promise<{ code: number; findings: { level: string; text: string; mend?: string }[] }> {
  // Disables the browser: `doctor` would start it to check the desktop window.
  const program = await startHarness({ ...place, listen: false, environment: { AGENT_DESKTOP_BROWSER_PATH: '/nowhere/chromium' } });
  const { code, stdout } = await runCommandLine(program.kernel, ['doctor', '--json', ...argv]);
  await program.close();
  return { code, findings: JSON.parse(stdout) };
}

test('doctor --repair lists each repaired file, and reports no repair on the second run', async () => {
  await server.close();
  await rm(join(chatFolder, 'meta.json'));
  const first = await doctor('--repair');
  expect(first.code).toBe(0);
  expect(first.findings[0]).toEqual({
    level: 'note',
    text: `Repaired ${join(chatFolder, 'meta.json')}`,
    mend: expect.stringMatching(/^The file was rebuilt from the journal: 1 turn;/),
  });
  expect((await doctor('--repair')).findings[0]).toEqual({ level: 'ok', text: 'Nothing had to be repaired.' });
});

test('changes no file without --repair', async () => {
  await server.close();
  await rm(join(chatFolder, 'meta.json'));
  expect((await doctor()).code).toBe(0);
  await expect(readFile(join(chatFolder, 'meta.json'))).rejects.toThrow();
});

test('refuses to repair while a server is running', async () => {
  const { code, findings } = await doctor('--repair');
  expect(code).toBe(1);
  expect(findings[0]).toEqual({ level: 'wrong', text: 'Nothing was repaired: a server uses the home folder.', mend: 'Stop the server, then run this again.' });
});

test('reports a failed repair and still runs the checks', async () => {
  await server.close();
  await rm(join(place.home, 'running'), { recursive: true, force: true });
  await writeFile(join(place.home, 'running'), '');
  const turnId = 'turn_01ARZ3NDEKTSV4RRFFQ69G5FAW';
  const open = { id: 90_000, kind: 'message_accepted', at: '2026-01-01T00:00:00.000Z', turnId, messageId: 'msg_9', text: 'x', attachments: [] };
  await writeFile(join(chatFolder, 'session.jsonl'), `${JSON.stringify(open)}\n`);
  const { code, findings } = await doctor('--repair');
  expect(code).toBe(1);
  expect(findings[0]).toMatchObject({ level: 'wrong', text: expect.stringMatching(/^The repair failed: .*(EEXIST|ENOTDIR)/) });
  expect(findings.length).toBeGreaterThan(3);
});
