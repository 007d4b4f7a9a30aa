import { expect, test } from 'vitest';
import { useAgentBench } from '../../unit/plugins/agent/agent-bench.ts';
import { startScriptedModel } from '../../helpers/scripted-model.ts';
import { logTool, quiet, roundsScript, stability, toolFact, unpaired, userFact } from '../../unit/builtins/compression/long-chat.ts';

const open = useAgentBench(() => quiet);

test.each([
  ['chat-completions', 300, 30_000],
  ['messages', 150, 16_000],
])('keeps a long turn within its context without losing a fact, over %s in %i rounds', async (wire, rounds, limit) => {
  const model = await startScriptedModel(roundsScript(rounds));
  const bench = await open((registry) => registry.add('tool', logTool), {
    environment: { ...model.environment, AGENT_MODEL_WIRE: wire, AGENT_MAX_ROUNDS: '400', AGENT_CONTEXT_TOKENS: String(limit) },
  });
  try {
    const { turnId } = (await bench.send(`Read all pages of the log. Keep in mind that ${userFact}.`)).body;
    expect(await bench.ended(turnId)).toMatchObject({ reason: 'done', rounds: rounds + 1 });
    const compressed = bench.stream.events.filter((event) => event.kind === 'context_compressed');
    expect(compressed.length).toBeGreaterThanOrEqual(4);
    for (const { before, after } of compressed) {
      expect(before).toBeGreaterThanOrEqual(0.65 * limit);
      expect(after).toBeLessThanOrEqual(0.4 * limit);
    }
    const tokens = model.requests.map(({ body }) => JSON.stringify(body).length / 4);
    expect(Math.max(...tokens)).toBeLessThan(0.7 * limit);
    const shares = stability(model.requests);
    const broken = shares.filter((share) => share < 0.98);
    expect(broken.length).toBe(compressed.length);
    const between = shares.filter((share) => share >= 0.98);
    expect(between.reduce((sum, share) => sum + share, 0) / between.length).toBeGreaterThan(0.999);
    expect(model.requests.flatMap(unpaired)).toEqual([]);
    const last = JSON.stringify(model.requests[rounds - 1]?.body.messages);
    expect(last).toContain(userFact);
    expect(last).toContain(toolFact);
  } finally {
    await model.close();
  }
});
