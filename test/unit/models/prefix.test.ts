// Tests prompt prefix stability, which prompt caches rely on: each request extends the previous one, and the first is small.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isOfTurn, runTurn, type ScriptedReply, startHarness, startScriptedModel } from '../../helpers/in-process.ts';

const turns = 10;
const rounds = 20;
const mostBytes = 9_100;

test(`each request of ${turns} turns × ${rounds} rounds extends the previous one, and the first has at most ${mostBytes} bytes`, async () => {
  const workspace = await mkdtemp(join(tmpdir(), 'prefix-work-'));
  await writeFile(join(workspace, 'a.txt'), 'one\n');
  const read: ScriptedReply = { toolCalls: [{ name: 'read_file', args: { path: 'a.txt' } }] };
  const model = await startScriptedModel(({ body }) => {
    if (!body.tools) return { text: 'A title' };
    const asked = body.messages.findLastIndex(({ role }: any) => role === 'user');
    return body.messages.length - asked < 2 * rounds - 2 ? read : { text: 'Done.' };
  });
  const harness = await startHarness({ workspace, environment: { ...model.environment, AGENT_YOLO: '1' } });
  for (let turn = 0; turn < turns; turn++) expect((await runTurn(harness, `Look again, ${turn}.`)).end).toMatchObject({ reason: 'done', rounds });
  const sent = model.requests.filter(isOfTurn);
  expect(sent).toHaveLength(turns * rounds);
  expect(JSON.stringify(sent[0]!.body).length).toBeLessThanOrEqual(mostBytes);
  const texts = sent.map(({ body }) => JSON.stringify([body.tools, body.messages]).slice(0, -2));
  expect(texts.flatMap((text, at) => (at > 0 && !text.startsWith(texts[at - 1]!) ? [at] : []))).toEqual([]);
  expect(await harness.close()).toEqual([]);
  await model.close();
  await rm(workspace, { recursive: true, force: true });
});
