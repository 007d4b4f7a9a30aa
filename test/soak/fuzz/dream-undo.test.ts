// Tests the undo of dream runs, and runs cut off at each step. `UNDONE_RUNS` sets the number of runs.
import { rm } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { manifest, register } from '../../../builtins/background/dream/index.ts';
import { startDreams, upsert, type DreamWorld } from '../../unit/builtins/dream/dream-world.ts';
import { diceOf } from '../../unit/builtins/dream/generated-conversations.ts';

let world: DreamWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const rounds = Number(process.env['UNDONE_RUNS'] ?? 12);
const seed = Number(process.env['SEED'] ?? 3);

async function storedNotes(of: DreamWorld): Promise<unknown> {
  const lists = await Promise.all(['active', 'pending', 'deleted'].map((show) => of.list(show)));
  return lists.map((notes) =>
    notes.map(({ revision: _, ...note }) => note).sort((one, other) => (`${one.scope}${one.id}` < `${other.scope}${other.id}` ? -1 : 1)),
  );
}

const words = ['amber', 'birch', 'copper', 'dahlia', 'elm', 'flint', 'garnet', 'hazel', 'iris', 'jade', 'kelp', 'larch'];

test('restores the exact notes when random dream runs are undone', { timeout: 20_000 + rounds * 2_000 }, async () => {
  const dice = diceOf(seed);
  const one = (): string => words[dice(words.length)] as string;
  world = await startDreams({ environment: { AGENT_AUTO_DREAM_ALLOW_DELETE: '1', AGENT_AUTO_DREAM_INJECT_TRANSCRIPT: '0' } });
  const { notes, place } = world;
  let changed = 0;
  for (let round = 0; round < rounds; round++) {
    for (let count = dice(3); count > 0; count--) {
      const [type, scope] = [dice(4) === 0 ? 'recipe' : 'fact', dice(2) === 0 ? 'global' : 'workspace'] as const;
      const kind = (['model', 'model', 'tool', 'web'] as const)[dice(4)]!;
      await notes.remember(place, {
        type,
        key: `base-${dice(12)}`,
        value: `The base of round ${round} is ${one()} ${one()}.`,
        scope,
        source: { kind, ref: '' },
      });
    }
    if (dice(3) === 0) await notes.forget(place, `fact:base-${dice(12)}`);
    const lines = Array.from({ length: 1 + dice(4) }, (_, at) => `In round ${round}, number ${at}, the colour is ${one()} and the stone is ${one()}.`);
    const chatId = await world.chat(lines.join('\n'));
    const [said] = await world.said(chatId);
    const before = await storedNotes(world);
    const upserts = lines.map((line) =>
      upsert(
        chatId,
        { entryId: said!.entryId, text: line },
        { key: dice(2) === 0 ? `base-${dice(12)}` : `new-${round}-${dice(9)}`, value: line, scope: dice(2) === 0 ? 'global' : 'workspace' },
      ),
    );
    const deletes = (await world.list()).filter(() => dice(4) === 0).map(({ id, scope }) => ({ id, scope }));
    world.answers({ summary: '', upserts, deletes });
    const { run } = await world.run();
    expect(run.state).toBe('done');
    if (run.changes.length === 0) continue;
    changed += run.changes.length;
    expect(await storedNotes(world)).not.toEqual(before);
    expect((await world.undo(run.runId)).run.undo.left).toEqual([]);
    expect(JSON.stringify(await storedNotes(world))).toBe(JSON.stringify(before));
  }
  expect(changed).toBeGreaterThan(rounds / 2);
});

/** The dream plugin with a home folder that fails after that many steps: nothing is written from then on. */
function dyingAfter(steps: number): { readonly manifest: typeof manifest; register(registry: any, emitter: any): void; readonly died: () => boolean } {
  let left = steps;
  const dies = (object: any, names: readonly string[]): any =>
    new Proxy(object, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          if (names.includes(String(name)) && left-- <= 0) throw new Error('the process died');
          return value.apply(target, args);
        };
      },
    });
  return {
    manifest,
    register(registry, emitter) {
      const services = new Proxy(
        {},
        {
          get(_, name) {
            const service = registry.services[name];
            if (name === 'storage') return dies(service, ['writeJson', 'updateJson', 'remove']);
            if (name === 'notes') return halfway(dies(service, ['edit']), () => left-- <= 0);
            return service;
          },
        },
      );
      register(new Proxy(registry, { get: (target, name) => (name === 'services' ? services : bound(target, name)) }) as never, emitter);
    },
    died: () => left < 0,
  };
}

const bound = (target: any, name: string | symbol): unknown => {
  const value = Reflect.get(target, name);
  return typeof value === 'function' ? value.bind(target) : value;
};

function halfway(notes: any, isDead: () => boolean): any {
  return new Proxy(notes, {
    get(target, name) {
      if (name !== 'edit') return bound(target, name);
      return async (edits: readonly unknown[]) => {
        const done: unknown[] = [];
        for (const edit of edits) {
          if (isDead()) throw new Error('the process died');
          done.push(...(await target.edit([edit])));
        }
        return done;
      };
    },
  });
}

test('applies a run cut off at any step completely or not at all after a restart, counts it once, and can undo it', { timeout: 120_000 }, async () => {
  const builtins = ['memory', 'evidence-gates', 'model-chat-completions'];
  const outcomes = new Set<string>();
  for (let steps = 0; steps < 60; steps++) {
    const dying = dyingAfter(steps);
    const environment = {
      AGENT_AUTO_DREAM_ALLOW_DELETE: '1',
      AGENT_AUTO_DREAM_INJECT_TRANSCRIPT: '0',
      AGENT_AUTO_DREAM: '1',
      AGENT_AUTO_DREAM_MIN_SESSIONS: '1',
    };
    const first = await startDreams({ builtins, environment, modules: { dream: dying as never } });
    const { home, workspace } = first.harness;
    await first.notes.remember(first.place, { type: 'fact', key: 'old', value: 'The build runs on Jenkins.', source: { kind: 'model', ref: '' } });
    await first.notes.remember(first.place, {
      type: 'fact',
      key: 'sister',
      value: 'The user has a sister.',
      scope: 'global',
      source: { kind: 'model', ref: '' },
    });
    const chatId = await first.chat('I use Helix for everything.\nMy sister Mira lives in Porto.');
    const [said] = await first.said(chatId);
    const before = await storedNotes(first);
    first.answers({
      upserts: [
        upsert(chatId, { entryId: said!.entryId, text: 'I use Helix for everything.' }, { key: 'editor', value: 'The user uses Helix for everything.' }),
        upsert(chatId, { entryId: said!.entryId, text: 'My sister Mira lives in Porto.' }, { key: 'sister', value: 'The user’s sister Mira lives in Porto.' }),
      ],
      deletes: [{ id: 'fact:old' }],
    });
    await first.run();
    const isOver = !dying.died();
    await first.close({ keepFiles: true });

    // The lock holds this process's id, as after a container restart.
    world = await startDreams({ builtins: [...builtins, 'dream'], environment, home, workspace });
    const after = await storedNotes(world);
    const [run] = await world.runs();
    const isApplied = JSON.stringify(after) !== JSON.stringify(before);
    outcomes.add(isApplied ? 'whole' : 'nothing');
    if (isApplied) {
      expect((await world.list()).map(({ key }) => key).sort(), `after ${steps} steps`).toEqual(['editor', 'sister']);
      expect(run).toMatchObject({ state: 'done', counts: { kept: 2, deleted: 1 } });
      await world.undo();
      expect(JSON.stringify(await storedNotes(world))).toBe(JSON.stringify(before));
    } else expect(['failed', undefined]).toContain(run?.state);
    const { next } = (await world.call('GET', '/api/dreams')).body;
    if (run) expect(next.gate, `after ${steps} steps`).toBe('hours');
    await world.close();
    world = undefined;
    for (const folder of [home, workspace]) await rm(folder, { recursive: true, force: true });
    if (isOver) break;
  }
  expect([...outcomes].sort()).toEqual(['nothing', 'whole']);
});
