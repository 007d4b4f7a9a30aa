// A randomized chat, reproducible by seed: all kinds of replies, tools, faults, aborts, steers, queued messages and edits.
import { setTimeout as sleep } from 'node:timers/promises';
import type { PluginModule } from 'agent-harness/kernel';
import { type Harness, openEventStream, type ScriptedReply, type ScriptedToolCall } from '../../../helpers/in-process.ts';

export type Random = () => number;

export function createRandom(seed: number): Random {
  let state = seed * 2_654_435_761 + 1;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const text = (random: Random): string[] => Array.from({ length: 1 + Math.floor(random() * 4) }, () => `w${Math.floor(random() * 1000)} `);
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Tools of every behaviour. */
export function createToolBag(random: Random): PluginModule<never> {
  const wait = (signal: AbortSignal): Promise<void> => sleep(Math.floor(random() * 6), undefined, { signal });
  const input = { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: false };
  const tool = (name: string, run: (args: { n?: number }, context: { signal: AbortSignal; progress(note: string): void }) => unknown, more: object = {}) => ({
    ...{ name, description: name, input, effects: ['read'], isEveryday: true, run },
    ...more,
  });
  return {
    manifest: { name: 'tool-bag' },
    register(registry: any, emitter: any) {
      const pure = { replay: 'pure' };
      for (const name of ['look', 'peek'])
        registry.add('tool', tool(name, async (args, { signal }) => wait(signal).then(() => `${name} saw ${args.n}`), pure)); // prettier-ignore
      registry.add(
        'tool',
        tool('work', async (_, { signal, progress }) => (progress('at it'), wait(signal).then(() => 'worked'))),
      );
      registry.add(
        'tool',
        tool('fail', () => Promise.reject(new Error('no luck'))),
      );
      registry.add(
        'tool',
        tool('fetch_page', async (_, { signal }) => wait(signal).then(() => ({ ok: true, output: 'a page', isUntrusted: true }))),
      );
      registry.add(
        'tool',
        tool('show', () => ({ ok: true, output: 'a picture', images: [{ mimeType: 'image/png', base64: pixel }] })),
      );
      registry.add(
        'tool',
        tool('risky', () => 'done', { effects: ['execute'] }),
      );
      registry.add(
        'tool',
        tool('hidden', () => 'found', { isEveryday: false }),
      );
      emitter.tap('turn.finalize', (answer: object, turn: { text: string }) =>
        turn.text.includes('twice') ? { ...answer, sendBack: 'Look again.' } : undefined,
      );
    },
  } as unknown as PluginModule<never>;
}

const toolNames = ['look', 'peek', 'look', 'peek', 'work', 'fail', 'fetch_page', 'show', 'risky', 'hidden', 'unknown'];

export function randomReply(random: Random): ScriptedReply {
  const kind = random();
  const delayMs = Math.floor(random() * 3);
  if (kind < 0.3) return { text: text(random), delayMs };
  if (kind < 0.65) {
    const toolCalls = Array.from({ length: 1 + Math.floor(random() * 4) }, (): ScriptedToolCall => {
      const args = random() < 0.1 ? '{"n": ' : random() < 0.1 ? { wrong: 1 } : { n: Math.floor(random() * 9) };
      return { name: pick(random, toolNames), args, fragments: 1 + Math.floor(random() * 3) };
    });
    return { ...(random() < 0.5 ? { text: text(random) } : {}), toolCalls, delayMs };
  }
  if (kind < 0.74) return { text: text(random), finish: 'length', delayMs };
  if (kind < 0.8) return { reasoning: 'hm', delayMs };
  if (kind < 0.9) return { text: text(random), toolCalls: [{ name: 'look', args: { n: 1 } }], cutAfter: Math.floor(random() * 4), delayMs };
  return random() < 0.7 ? { status: 500 } : { status: 400, body: { error: { message: 'refused by the content policy' } } };
}

/** Sends messages with random actions in between. Resolves when the chat is idle. */
export async function liveThrough(harness: Harness, random: Random, turns: number): Promise<void> {
  const stream = await openEventStream(harness);
  const { approvals } = { approvals: harness.kernel.resolve('approvals') };
  const deciding = harness.kernel.emitter.on('tool_approval', ({ approvalId }) => {
    const decision = pick(random, ['approve', 'reject', 'edit', 'edit'] as const);
    setImmediate(() => void approvals.decide(approvalId, { decision, ...(decision === 'edit' ? { args: { n: 7 } } : {}) }).catch(() => undefined));
  });
  const send = async (whenBusy: string): Promise<void> => {
    const words = pick(random, ['go', 'go on', 'twice', 'more', 'more', '/help']);
    const sent = await harness.call('POST', '/api/message', { text: `${words} ${Math.floor(random() * 1000)}`, whenBusy });
    if (sent.status !== 202) throw new Error(JSON.stringify(sent.body));
  };
  const announce = (): Promise<unknown> =>
    harness.kernel.resolve('turns').announce({
      ...{ text: `news ${Math.floor(random() * 1000)}`, origin: { plugin: 'tool-bag', reason: 'Something happened.' } },
      ...{ isForModel: random() < 0.8, isUntrusted: random() < 0.7 },
    });
  for (let turn = 0; turn < turns; turn++) {
    await send('queue');
    const more = Array.from({ length: Math.floor(random() * 4) }, async () => {
      await sleep(Math.floor(random() * 40));
      const what = random();
      if (what < 0.45) await send('steer');
      else if (what < 0.6) await send('queue');
      else if (what < 0.7) await announce();
      else if (what < 0.9) await harness.call('POST', '/api/session/abort', {});
      else await harness.call('POST', '/api/session/reset', { mode: 'soft' });
    });
    await Promise.all(more);
    while (harness.kernel.resolve('turns').isBusy()) await sleep(2);
  }
  await deciding.dispose();
  stream.close();
}
