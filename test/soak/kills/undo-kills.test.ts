// Kills the server at random moments of turns and undos: after the next start an undo is done completely or not at all, and an interrupted turn
// can be undone. `KILLS` sets how often.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diceFrom, seed } from '../../helpers/dice.ts';
import { startScriptedModel } from '../../helpers/scripted-model.ts';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';

const kills = Number(process.env['KILLS'] ?? 0);
const files = ['a.txt', 'b.txt', 'c.txt', 'd.txt'];

async function isIdle(server: ServerProcess): Promise<void> {
  await expect.poll(async () => (await server.call('GET', '/api/status')).body.busy, { timeout: 20_000 }).toBe(false);
}

test.skipIf(kills === 0)(
  'completes a killed undo or leaves it undone after a restart, and can undo a killed turn',
  { timeout: 60_000 + kills * 30_000 },
  async () => {
    const dice = diceFrom(seed);
    const folder = await mkdtemp(join(tmpdir(), 'undo-kills-'));
    let round = 0;
    let begun = (): void => undefined;
    const model = await startScriptedModel((request) => {
      const { body } = request as { body: any };
      // The note about an undo follows the last message, so it is not checked.
      const asked = body.messages.findLastIndex((one: any) => one.role === 'user' && JSON.stringify(one.content).includes(`Round ${round}`));
      if (body.messages.slice(asked).some((one: any) => one.role === 'tool')) return { text: 'Done.' };
      begun();
      const writes = files.map((path) => ({ name: 'write_file', args: { path, content: `${path} of round ${round}\n` } }));
      const notes = ['x', 'y'].map((key) => ({ name: 'remember', args: { key, value: `${key} of round ${round}` } }));
      const plan = { name: 'update_plan', args: { items: [{ text: `Round ${round}`, status: 'active' }] } };
      return { toolCalls: [...writes, ...notes, plan] };
    });
    const options = {
      home: join(folder, 'home'),
      workspace: folder,
      environment: { ...model.environment, AGENT_WORKSPACE_ROOT: folder, AGENT_PERSONA_ASK: '0' },
    };
    let server = await startServerProcess(options);
    const read = async (): Promise<string> => {
      const texts = await Promise.all(files.map((path) => readFile(join(folder, path), 'utf8').catch(() => null)));
      const { notes } = (await server.call('GET', '/api/memory?show=active&limit=500')).body;
      const plan = (await server.call('GET', '/api/plan')).body;
      return JSON.stringify([texts, notes.map(({ id, value }: any) => `${id} ${value}`).sort(), plan.items ?? plan]);
    };
    const restart = async (): Promise<void> => {
      await server.stop('SIGKILL');
      server = await startServerProcess(options);
      await isIdle(server);
    };
    const found = { undone: 0, untouched: 0, cut: 0 };
    try {
      for (const path of files) await writeFile(join(folder, path), `${path} by hand\n`);
      for (; round < kills; round++) {
        const before = await read();
        // Kills during the turn or during its undo.
        const isOfTurn = round % 2 === 1;
        const isBegun = new Promise<void>((resolve) => (begun = resolve));
        const { turnId } = (await server.call('POST', '/api/message', { text: `Round ${round}` })).body;
        if (isOfTurn) {
          await isBegun;
          await new Promise((resolve) => setTimeout(resolve, dice() * 250));
          await restart();
          found.cut++;
        } else {
          await isIdle(server);
          const after = await read();
          expect(after, `round ${round}`).not.toBe(before);
          const run = server.call('POST', '/api/undo', { turnId }).catch(() => undefined);
          await new Promise((resolve) => setTimeout(resolve, dice() * 150));
          await restart();
          await run;
          const is = await read();
          expect([before, after], `round ${round}`).toContain(is);
          found[is === before ? 'undone' : 'untouched']++;
        }
        const { status, body } = await server.call('POST', '/api/undo', { turnId });
        expect([200, 404, 409], JSON.stringify(body)).toContain(status);
        if (status === 200) expect([...body.conflicts, ...body.stateConflicts], `round ${round}`).toEqual([]);
        expect(await read(), `round ${round}`).toBe(before);
      }
      process.stdout.write(`${kills} kills: ${JSON.stringify(found)}\n`);
    } finally {
      await server.stop('SIGKILL');
      await model.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
