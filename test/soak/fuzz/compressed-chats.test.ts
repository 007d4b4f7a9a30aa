import { expect, test } from 'vitest';
import { runTurn } from '../../helpers/event-stream.ts';
import { startHarness, type HarnessOptions } from '../../helpers/harness.ts';
import { startScriptedModel, type ScriptedRequest } from '../../helpers/scripted-model.ts';
import { ownTool } from '../../unit/plugins/agent/agent-bench.ts';
import { createRandom, quiet, textOf, unpaired } from '../../unit/builtins/compression/long-chat.ts';

const limit = 40_000;
const turns = 12;

function randomModel(random: () => number): () => object {
  let calls = 0;
  return () => {
    if (random() < 0.12) return { text: textOf(random, 50 + random() * 800) };
    const toolCalls = Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
      id: `call_${++calls}`,
      name: 'look',
      args: { at: calls, ...(random() < 0.15 ? { content: textOf(random, 14_000) } : {}) },
    }));
    return { text: random() < 0.3 ? textOf(random, 100) : '', toolCalls };
  };
}

interface Played {
  readonly requests: readonly ScriptedRequest[];
  readonly compressions: number;
}

/** @param restartEvery number of turns between restarts; 0 for none */
async function play(seed: number, wire: string, restartEvery: number): Promise<Played> {
  const random = createRandom(seed);
  const model = await startScriptedModel(randomModel(random));
  const look = ownTool('look', () => {
    const output = textOf(random, random() < 0.2 ? 12_000 + random() * 8_000 : 50 + random() * 1_500);
    return random() < 0.1 ? { ok: false, error: output } : { ok: true, output, isUntrusted: random() < 0.2 };
  });
  const own = { manifest: { name: 'own' }, register: (registry: any) => registry.add('tool', look) } as never;
  const environment = { ...model.environment, AGENT_MODEL_WIRE: wire, AGENT_CONTEXT_TOKENS: String(limit) };
  const options: HarnessOptions = { ...quiet, environment, modules: { own } };
  const first = await startHarness(options);
  const { home, workspace } = first;
  let harness = first;
  let compressions = 0;
  try {
    for (let turn = 1; turn <= turns; turn++) {
      const { events, end } = await runTurn(harness, wishOf(turn));
      expect(end).toMatchObject({ reason: 'done' });
      compressions += events.filter((event) => event.kind === 'context_compressed').length;
      if (restartEvery === 0 || turn % restartEvery !== 0) continue;
      await harness.close({ keepFiles: true });
      harness = await startHarness({ ...options, home, workspace });
    }
    return { requests: model.requests, compressions };
  } finally {
    await harness.close();
    await first.close();
    await model.close();
  }
}

const wishOf = (turn: number): string => `Wish ${turn}: use variant ${turn * 7}.`;
/** Excludes what differs between runs: system messages with the workspace path, cache annotations, and generated call ids. */
const said = ({ body }: ScriptedRequest): any[] =>
  JSON.parse(
    JSON.stringify(body.messages)
      .replace(/"(id|tool_call_id|tool_use_id)":"[A-Za-z0-9]{9}"/g, '"$1":"call"')
      .replace(/(?:\\n\\n)?<system-note>.*?<\/system-note>/g, ''),
    (key, value: unknown) => (key === 'cache_control' ? undefined : value),
  ).filter((message: any) => message.role !== 'system');

test.each([
  [1, 'chat-completions'],
  [2, 'messages'],
])('keeps chat %i with outputs of all sizes valid and within its context over %s', async (seed, wire) => {
  const { requests, compressions } = await play(seed, wire, 0);
  expect(compressions).toBeGreaterThanOrEqual(2);
  expect(requests.flatMap(unpaired)).toEqual([]);
  expect(Math.max(...requests.map(({ body }) => JSON.stringify(body).length / 4))).toBeLessThan(0.85 * limit);
  const last = JSON.stringify(requests.at(-1)?.body.messages);
  for (let turn = 1; turn <= turns; turn++) expect(last).toContain(wishOf(turn));
});

test('sends the same requests after repeated restarts as without restarts', async () => {
  const [plain, restarted] = [await play(3, 'chat-completions', 0), await play(3, 'chat-completions', 2)];
  expect(plain.compressions).toBeGreaterThanOrEqual(2);
  expect(restarted.requests.length).toBe(plain.requests.length);
  const different = restarted.requests.findIndex((request, index) => JSON.stringify(said(request)) !== JSON.stringify(said(plain.requests[index] ?? request)));
  expect(different).toBe(-1);
}, 60_000);
