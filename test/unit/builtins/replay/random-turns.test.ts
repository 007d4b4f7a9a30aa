// Replays random turns with reads, writes, failing and unknown calls and provider errors, and checks that turns and support files are byte-identical. Set `TURNS` for more: test/soak/replay.mjs.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runs } from '../../../helpers/dice.ts';
import { type Harness, type ScriptedModel, type ScriptedReply, startHarness, startScriptedModel, useFolderForAll } from '../../../helpers/in-process.ts';

const turns = Number(process.env['TURNS'] ?? 8);
let model: ScriptedModel;
let harness: Harness;

const workspace = useFolderForAll('replay-random-');
beforeAll(async () => {
  await writeFile(join(workspace, 'a.txt'), 'Ships of oak — 船, 🚢\n'.repeat(50));
  model = await startScriptedModel();
  harness = await startHarness({
    workspace,
    builtins: ['cli', 'files', 'checkpoints', 'subagents', 'replay', 'support-file', 'model-chat-completions'],
    environment: { ...model.environment, AGENT_REPLAY_TURNS: '1000' },
  });
});
afterAll(async () => {
  await harness.close();
  await model.close();
});

const words = fc.stringMatching(/^[a-zé船 "\\\n]{1,30}$/);
const pieces = fc.array(words, { minLength: 1, maxLength: 6 });
const fragments = fc.integer({ min: 1, max: 9 });
const call = fc.oneof(
  fc.record({ name: fc.constant('read_file'), args: fc.record({ path: fc.constantFrom('a.txt', 'missing.txt', 'new.txt') }), fragments }),
  fc.record({ name: fc.constant('write_file'), args: fc.record({ path: fc.constantFrom('new.txt', 'other.txt'), content: words }), fragments }),
  fc.record({ name: fc.constant('list_dir'), args: fc.constant({}) }),
  fc.record({ name: fc.constant('no_such_tool'), args: fc.constant('{broken') }),
);
const round = fc.record({ text: pieces, reasoning: pieces, toolCalls: fc.array(call, { minLength: 1, maxLength: 3 }) });
const turn = fc.record({ says: words, rounds: fc.array(round, { maxLength: 3 }), fails: fc.boolean(), end: pieces });

test(`replays ${turns} random turns and their support files byte-identically`, { timeout: 60_000 + turns * 2_000 }, async () => {
  let [played, events] = [0, 0];
  await fc.assert(
    fc.asyncProperty(turn, async ({ says, rounds, fails, end }) => {
      const replies: ScriptedReply[] = [...rounds, ...(fails ? [{ status: 503 }] : []), { text: end }];
      model.push(...replies);
      const { chatId, turnId } = (await harness.call('POST', '/api/message', { text: `Say ${says}` })).body;
      await harness.kernel.resolve('turns').ended(turnId);
      const { chats, storage, turnRecords } = {
        chats: harness.kernel.resolve('chats'),
        storage: harness.kernel.resolve('storage'),
        turnRecords: harness.kernel.resolve('turnRecords'),
      };
      await expect.poll(async () => (await storage.list(join(chats.folder(chatId), 'replays'))).some((name) => name.startsWith(turnId))).toBe(true);
      const strikes = [(text: string): string => text, (text: string): string => text.replace(/e/g, '•')];
      for (const [at, mask] of strikes.entries()) {
        const parts = { earlier: at === 0, requests: at === 0, results: at === 0 };
        const packed = await turnRecords.pack(chatId, turnId, { ...parts, mask });
        expect(packed.difference, 'the turn').toBeUndefined();
        const again = await turnRecords.play(JSON.parse(JSON.stringify(packed)));
        expect(again.difference, 'its file').toBeUndefined();
        events += again.events.length;
      }
      played++;
    }),
    { ...runs(turns), endOnFailure: true },
  );
  process.stdout.write(`${played} turns, ${events / 2} events, each replayed twice from its record and twice from a file: all equal to the byte\n`);
});
