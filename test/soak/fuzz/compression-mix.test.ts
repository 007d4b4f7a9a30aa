import { expect, test } from 'vitest';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { runTurn } from '../../helpers/event-stream.ts';
import { startScriptedModel, type ScriptedReply, type ScriptedRequest } from '../../helpers/scripted-model.ts';
import { ownTool } from '../../unit/plugins/agent/agent-bench.ts';
import { createRandom, quiet, textOf, unpaired } from '../../unit/builtins/compression/long-chat.ts';

const promptTokens = ({ body }: ScriptedRequest): number => Math.ceil(JSON.stringify([body.tools ?? [], body.system ?? '', body.messages]).length / 4);

interface Mix {
  readonly window: number;
  readonly random: () => number;
}

function randomReply({ window, random }: Mix): ScriptedReply {
  if (random() < 0.15) return { text: textOf(random, 20 + random() * 2_000) };
  const kind = random();
  const count = kind < 0.1 ? 40 + Math.floor(random() * 120) : 1 + Math.floor(random() * 12);
  const chars = kind < 0.1 ? 400 : random() < 0.4 ? window * 4 * random() : 3_000 * random();
  const toolCalls = Array.from({ length: count }, (_, index) => ({
    id: `call_${index}`,
    name: 'look',
    args: { chars: Math.min(Math.floor(chars), 200_000), ...(random() < 0.05 ? { content: textOf(random, Math.min(window, 40_000)) } : {}) },
  }));
  return { toolCalls };
}

async function playMix(harness: Harness, mix: Mix, turns: number): Promise<any[]> {
  await harness.kernel.control.setPreferences({ AGENT_CONTEXT_TOKENS: String(mix.window) });
  expect((await harness.call('POST', '/api/chats', { workspaceMode: 'scratch' })).status).toBe(201);
  const compressed: any[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    const pasted = mix.random() < 0.3 ? textOf(mix.random, Math.min(900_000, mix.window * 5 * mix.random())) : '';
    const { events, end } = await runTurn(harness, `Wish ${turn}. ${pasted}`);
    expect(end).toMatchObject({ reason: 'done' });
    compressed.push(...events.filter((event) => event.kind === 'context_compressed'));
  }
  return compressed;
}

test.each(['chat-completions', 'messages'])(
  'keeps every request of a random mix of rounds within the context window, over %s',
  async (wire) => {
    let mix: Mix = { window: 0, random: Math.random };
    let left = 0;
    const refused: string[] = [];
    const model = await startScriptedModel((request) => {
      const tokens = promptTokens(request);
      if (tokens + request.body.max_tokens > mix.window) refused.push(`${tokens} + ${request.body.max_tokens} > ${mix.window}`);
      expect(request.body.max_tokens).toBeGreaterThanOrEqual(256);
      const reply = left-- > 0 ? randomReply(mix) : { text: 'done' };
      if (!reply.toolCalls) left = 8;
      return { ...reply, usage: { input: tokens, output: 20 } };
    });
    const look = ownTool('look', ({ chars }: { chars: number }) => textOf(mix.random, chars));
    const own = { manifest: { name: 'own' }, register: (registry: any) => registry.add('tool', look) } as never;
    const harness = await startHarness({ ...quiet, environment: { ...model.environment, AGENT_MODEL_WIRE: wire }, modules: { own } });
    try {
      for (const [seed, window] of [8_000, 9_500, 16_000, 48_000, 128_000, 200_000].entries()) {
        mix = { window, random: createRandom(seed + wire.length) };
        left = 8;
        const first = model.requests.length;
        const compressed = await playMix(harness, mix, 3);
        expect(refused).toEqual([]);
        for (const { before, after } of compressed) expect(after).toBeLessThan(before);
        expect(model.requests.slice(first).flatMap(unpaired)).toEqual([]);
      }
    } finally {
      await harness.close();
      await model.close();
    }
  },
  120_000,
);

test.each([
  [12, 128_000],
  [4, 32_000],
])('fits %i big files read in one round into a window of %i tokens with at most two compressions', async (count, window) => {
  let round = 0;
  const model = await startScriptedModel((request) => {
    round++;
    const usage = { input: promptTokens(request), output: 20 };
    if (round > 30) return { text: 'done', usage };
    const toolCalls = Array.from({ length: round === 1 ? count : 1 }, (_, index) => ({
      id: `c${index}`,
      name: 'look',
      args: { chars: round === 1 ? 47_000 : 200, index },
    }));
    return { toolCalls, usage };
  });
  const look = ownTool(
    'look',
    ({ chars, index }: { chars: number; index: number }) => `file ${index} begins\n${'some line of a file\n'.repeat(chars / 20)}file ${index} ends`,
  );
  const own = { manifest: { name: 'own' }, register: (registry: any) => registry.add('tool', look) } as never;
  const harness = await startHarness({ ...quiet, environment: { ...model.environment, AGENT_CONTEXT_TOKENS: String(window) }, modules: { own } });
  try {
    const { events, end } = await runTurn(harness, 'Compare all files.');
    expect(end).toMatchObject({ reason: 'done', rounds: 31 });
    expect(Math.max(...model.requests.map((request) => promptTokens(request) + request.body.max_tokens))).toBeLessThanOrEqual(window);
    const answers: string[] = model.requests[1]?.body.messages.filter((message: any) => message.role === 'tool').map((message: any) => message.content);
    expect(answers).toHaveLength(count);
    answers.forEach((text, index) => {
      expect(text.startsWith(`file ${index} begins`) && text.endsWith(`file ${index} ends`)).toBe(true);
      expect(text).toMatch(/read_artifact with id "[0-9a-f]{64}"/);
    });
    const [id = ''] = /[0-9a-f]{64}/.exec(answers[0] ?? '') ?? [];
    expect((await harness.call('GET', `/api/artifacts/${id}`)).body.length).toBeGreaterThan(46_000);
    expect(events.filter((event) => event.kind === 'context_compressed').length).toBeLessThanOrEqual(2);
  } finally {
    await harness.close();
    await model.close();
  }
});
