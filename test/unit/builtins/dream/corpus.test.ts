// Simulates conversations on a real server and dreams about them with three kinds of model. `LIVES` and `SESSIONS` set the size.
import { expect, test } from 'vitest';
import { startMemory, type MemoryWorld } from '../memory/memory-world.ts';
import { isDream } from './dream-world.ts';
import { diceOf, dreamOf, lifeOf, poisonMark, type Life, type Mood, type Scene } from './generated-conversations.ts';

const lives = Number(process.env['LIVES'] ?? 1);
const sessions = Number(process.env['SESSIONS'] ?? 10);
const seed = Number(process.env['SEED'] ?? 1);
const night = 5;

let world: MemoryWorld | undefined;

function sceneTools(scene: () => Scene | undefined) {
  return {
    manifest: { name: 'scene-tools' },
    register(registry: any) {
      for (const kind of ['web', 'workspace'])
        registry.add('tool', {
          ...{ name: `show_${kind}`, description: 'Shows it.', input: { type: 'object', properties: {}, additionalProperties: false } },
          ...{ effects: ['read'], replay: 'pure', isEveryday: true },
          run: () => ({ ok: true, output: scene()?.tool?.text ?? '', ...(kind === 'web' ? { isUntrusted: true } : {}) }),
        });
    },
  };
}

async function live(life: Life, mood: Mood, mayDelete: boolean): Promise<{ readonly notes: any[]; readonly runs: any[] }> {
  let scene: Scene | undefined;
  let known: string[] = [];
  const dice = diceOf(seed + 17);
  world = await startMemory({
    builtins: ['memory', 'evidence-gates', 'dream', 'model-chat-completions'],
    environment: { AGENT_AUTO_DREAM_ALLOW_DELETE: mayDelete ? '1' : '0', AGENT_AUTO_DREAM_INJECT_TRANSCRIPT: '0' },
    modules: { 'scene-tools': sceneTools(() => scene) as never },
    script(request) {
      if (isDream(request)) return { text: JSON.stringify(dreamOf(mood, life, request.body, known, dice)) };
      const isAnswered = JSON.stringify(request.body.messages.at(-1)).includes('"role":"tool"');
      return scene?.tool && !isAnswered ? { toolCalls: [{ name: `show_${scene.tool.kind}` }] } : { text: scene?.assistant ?? '' };
    },
  });
  const { chats, turns } = { chats: world.harness.kernel.resolve('chats'), turns: world.harness.kernel.resolve('turns') };
  const list = async (): Promise<any[]> => (await world!.call('GET', '/api/memory?limit=500')).body.notes;
  for (const [at, scenes] of life.sessions.entries()) {
    const { chatId } = await chats.create({ workspaceMode: 'folder', workspaceRoot: world.place.workspaceRoot });
    for (scene of scenes) await turns.ended((await turns.submit({ chatId, text: scene.user })).turnId);
    if ((at + 1) % night > 0 && at + 1 < life.sessions.length) continue;
    known = (await list()).map(({ id }) => id as string);
    const { run } = (await world.call('POST', '/api/dreams', {})).body;
    expect(run.state, JSON.stringify(run.failure)).toBe('done');
  }
  const notes = await list();
  const { runs } = (await world.call('GET', '/api/dreams')).body;
  await world.close();
  world = undefined;
  return { notes, runs };
}

function keptOf({ facts }: Life, notes: readonly any[]): { readonly kept: number; readonly of: number; readonly missing: string[] } {
  const wanted = new Map(facts.map((fact) => [fact.key, fact]));
  const missing = [...wanted.values()].filter(({ key, note }) => !notes.some((one) => one.key === key && plain(one.value) === plain(note)));
  return { kept: wanted.size - missing.length, of: wanted.size, missing: missing.map(({ note }) => note) };
}

/** Replaces dates and relative days by one word, because notes store dates. */
function plain(text: string): string {
  return text.replace(/\b(?:on \d{4}-\d\d-\d\d|tomorrow|in two weeks)\b/g, 'then');
}

function junkOf({ facts }: Life, notes: readonly any[]): string[] {
  return notes.filter(({ value }) => !facts.some(({ note, said }) => [plain(note), plain(said)].includes(plain(value)))).map(({ value }) => value as string);
}

test.each(['honest', 'lazy'] as const)(
  '%s model: at most 2 percent of the notes are junk, and the honest one stores 95 percent of the facts',
  { timeout: lives * sessions * 20_000 },
  async (mood) => {
    let [kept, of, junk, all] = [0, 0, 0, 0];
    const faults: string[] = [];
    for (let number = 0; number < lives; number++) {
      const life = lifeOf(seed + number, sessions);
      const { notes } = await live(life, mood, false);
      const found = keptOf(life, notes);
      const odd = junkOf(life, notes);
      [kept, of, junk, all] = [kept + found.kept, of + found.of, junk + odd.length, all + notes.length];
      faults.push(...(mood === 'honest' ? found.missing : []), ...odd);
    }
    if (lives > 1) process.stdout.write(`${mood}: ${kept} of ${of} facts kept, ${junk} of ${all} notes are junk\n`);
    if (mood === 'honest') expect(kept / of, faults.join('\n')).toBeGreaterThanOrEqual(0.95);
    expect(junk / Math.max(1, all), faults.join('\n')).toBeLessThanOrEqual(0.02);
  },
);

test.each([false, true])('a hostile model promotes no poisoned note (deletion allowed: %s)', { timeout: lives * sessions * 20_000 }, async (mayDelete) => {
  let tries = 0;
  for (let number = 0; number < lives; number++) {
    const life = lifeOf(seed + number, sessions);
    const { notes, runs } = await live(life, 'hostile', mayDelete);
    tries += runs.reduce((sum, { refused, changes }) => sum + refused.length + changes.length, 0);
    expect(notes.map(({ value }) => value as string).filter((value) => poisonMark.test(value))).toEqual([]);
    expect(
      runs.flatMap(({ changes }) => changes).filter(({ kind, evidence }) => kind !== 'waits' && evidence.some((one: any) => one.class !== 'user')),
    ).toEqual([]);
  }
  if (lives > 1) process.stdout.write(`hostile: ${tries} tries, 0 promoted\n`);
  expect(tries).toBeGreaterThan(0);
});
