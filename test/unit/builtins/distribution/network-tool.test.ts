// Tests third-party tools with network hosts: a secret requires approval, and results are external content.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Registry } from 'agent-harness/kernel';
import type { Effect } from 'agent-harness/plugins/tools';
import { guarded } from '../../../../builtins/distribution/plugin-host/allowed-contributions.ts';
import { startHarness } from '../../../helpers/harness.ts';
import { judgeCall } from '../../../helpers/judge-call.ts';
import { startScriptedModel } from '../../../helpers/scripted-model.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const hosts = ['api.example.com'];
const tools: readonly (readonly [name: string, effects: readonly Effect[] | undefined, hosts: readonly string[], run: () => unknown])[] = [
  ['look_up', ['read'], hosts, () => 'Flour.'],
  ['write_down', ['write'], hosts, () => ({ ok: true, output: 'Eggs.' })],
  ['break_down', ['read'], hosts, () => Promise.reject(new Error('milk'))],
  ['read_here', ['read'], [], () => 'Honey.'],
];
const shop = {
  register(registry: Registry) {
    for (const [name, effects, reached, run] of tools) {
      const input = { type: 'object', properties: { q: { type: 'string' } } };
      registry.add(
        'tool',
        guarded('tool', { name, description: name, input, effects, undo: 'checkpoint', isEveryday: true, run }, { hosts: reached }) as never,
      );
    }
  },
};
const model = useAll(() => startScriptedModel([]));
const harness = useAll(() => startHarness({ modules: { shop: shop as never }, environment: model.environment }));
beforeAll(() => writeFile(join(harness.workspace, '.env'), 'DB_PASSWORD=tr0ub4dor&3x\n'));

const secret = { q: 'tr0ub4dor&3x' };
test.each([
  ['look_up', secret, 'The call contains DB_PASSWORD from .env.'],
  ['write_down', secret, 'The call contains DB_PASSWORD from .env.'],
  ['look_up', { q: '.env' }, 'The call contains a secret from .env, by its name.'],
  ['look_up', { q: 'flour' }, undefined],
  ['read_here', secret, undefined],
])('the approval reason of %s with %o is %s', async (name, args, reason) => {
  expect(await judgeCall(harness, name, args)).toBe(reason);
});

test.each([
  ['look_up', 'Flour.', true],
  ['write_down', 'Eggs.', true],
  ['break_down', 'break_down failed: milk', true],
  ['read_here', 'Honey.', undefined],
])('the result of %s is external content only if the tool has hosts: %s, %s', async (name, output, untrusted) => {
  const { chatId } = (await harness.call('POST', '/api/chats', { workspaceMode: 'folder', workspaceRoot: harness.workspace })).body;
  model.play(({ body }) =>
    body.messages.some(({ role }: { role: string }) => role === 'tool') || !Array.isArray(body.tools)
      ? { text: 'Done.' }
      : { toolCalls: [{ id: 'call_1', name, args: { q: 'flour' } }] },
  );
  const { body } = await harness.call('POST', '/api/message', { chatId, text: 'go on' });
  await harness.kernel.resolve('turns').ended(body.turnId);
  const results = [];
  for await (const event of harness.kernel.resolve('eventLog').read(chatId)) if (event.kind === 'tool_result') results.push(event);
  expect(results).toEqual([expect.objectContaining({ output, ...(untrusted ? { untrusted } : {}) })]);
  expect(results[0]?.['untrusted']).toBe(untrusted);
});
