// Kills the server at random moments during a dream run. `KILLS` sets how often.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diceOf, shownIn } from '../../unit/builtins/dream/generated-conversations.ts';
import { startScriptedModel } from '../../helpers/scripted-model.ts';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';

const kills = Number(process.env['KILLS'] ?? 3);
const seed = Number(process.env['SEED'] ?? 5);

async function storedNotes(server: ServerProcess): Promise<string> {
  const lists = await Promise.all(['active', 'pending', 'deleted'].map((show) => server.call('GET', `/api/memory?show=${show}&limit=500`)));
  return JSON.stringify(
    lists.map(({ body }) => body.notes.map(({ revision: _, ...note }: any) => note).sort((one: any, other: any) => (one.id < other.id ? -1 : 1))),
  );
}

test('applies a killed dream run completely or not at all after a restart, counts it once, and can undo it', { timeout: 30_000 + kills * 20_000 }, async () => {
  const dice = diceOf(seed);
  const folder = await mkdtemp(join(tmpdir(), 'dream-kill-'));
  let [asked, dreams, round] = [(): void => undefined, 0, 0];
  const model = await startScriptedModel((request) => {
    const { body } = request as { body: any };
    if (!JSON.stringify(body.messages[0]).includes('notes while it is idle')) return { text: 'Noted.' };
    dreams++;
    asked();
    const said = shownIn(body).filter(({ by, text }) => by === 'user' && text.includes(`round ${round} `));
    const lines = said.flatMap(({ chatId, entry, text }) => text.split('\n').map((quote) => ({ chatId, entryId: entry, quote })));
    const upserts = lines.map((one, at) => ({ key: `k${at}`, value: one.quote, scope: at % 2 === 0 ? 'global' : 'workspace', evidence: [one] }));
    return { text: JSON.stringify({ summary: '', upserts, deletes: [] }) };
  });
  const environment = { ...model.environment, AGENT_AUTO_DREAM_INJECT_TRANSCRIPT: '0', AGENT_AUTO_DREAM: '1', AGENT_AUTO_DREAM_MIN_SESSIONS: '1' };
  const options = { home: join(folder, 'home'), workspace: folder, environment };
  let server = await startServerProcess(options);
  try {
    for (; round < kills; round++) {
      const text = ['red', 'green', 'blue', 'grey'].map((colour) => `In round ${round} the ${colour} stone lies at place ${dice(1_000)}.`).join('\n');
      await server.call('POST', '/api/message', { text });
      await expect.poll(async () => (await server.call('GET', '/api/status')).body.busy).toBe(false);
      const before = await storedNotes(server);
      const isAsked = new Promise<void>((resolve) => (asked = resolve));
      const run = server.call('POST', '/api/dreams', {}).catch(() => undefined);
      await isAsked;
      await new Promise((resolve) => setTimeout(resolve, dice(60)));
      await server.stop('SIGKILL');
      await run;
      server = await startServerProcess(options);
      const { runs, next } = (await server.call('GET', '/api/dreams?limit=200')).body;
      expect(runs, `round ${round}`).toHaveLength(round + 1);
      expect(['done', 'failed']).toContain(runs[0].state);
      expect(next.gate).toBe('hours');
      if (runs[0].state === 'done') {
        expect(runs[0].counts.kept + runs[0].counts.waiting).toBe(4);
        expect(await storedNotes(server)).not.toBe(before);
        expect((await server.call('POST', '/api/dreams/undo', {})).body.run.undo).toMatchObject({ undone: 4, left: [] });
      }
      expect(await storedNotes(server), `round ${round}`).toBe(before);
    }
    expect(dreams).toBe(kills);
  } finally {
    await server.stop('SIGKILL');
    await model.close();
    await rm(folder, { recursive: true, force: true });
  }
});
