// 1,000 calls at once on a wallet that pays for 50, over two nodes with one PostgreSQL: nothing overspent, nobody refused while 256 tokens are affordable.
// `node test/bench/plane/inference-wallet.mjs [calls]`
import { call, expectThat, finish, setUp, startNode, startPostgres, startProvider } from './inference-kit.mjs';

const calls = Number(process.argv[2] ?? 1_000);
const paid = 50;
// As the plane reckons it, so that the last call fits exactly.
const input = 11;
const database = await startPostgres();
const provider = await startProvider();
const { token, setWallet } = setUp(database.url);
const environment = { HUB_UPSTREAM_BASE_URL: provider.url };
const nodes = [await startNode(database.url, 'one', environment), await startNode(database.url, 'two', environment)];
const [{ id: org }] = await database.query('select id from organisation limit 1');

/** @param asked tokens that the caller would take; the provider writes 256 */
async function round(name, asked) {
  const costs = input + 2 * 256;
  const [{ used_micro: before = '0' } = {}] = await database.query('select used_micro from inference_wallet where org_id = $1', [org]);
  const cap = Number(before) + costs * paid;
  setWallet(org, cap / 1_000_000);
  const body = {
    model: 'm',
    messages: [{ role: 'user', content: 'Hello' }],
    max_tokens: asked,
    stream: true,
    user: JSON.stringify({ chunks: 256, input, headMs: 5 }),
  };
  const started = performance.now();
  const answers = await Promise.all(
    Array.from({ length: calls }, (_, index) => call(`${nodes[index % 2].url}/api/inference/v1/chat/completions`, token, body)),
  );
  const seconds = (performance.now() - started) / 1_000;
  const served = answers.filter(({ status }) => status === 200).length;
  const refused = answers.filter(({ status }) => status === 402);
  const others = answers.filter(({ status }) => status !== 200 && status !== 402);
  for (;;) {
    const [{ count }] = await database.query("select count(*) from inference_hold where state = 'held'");
    if (Number(count) === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const [{ used_micro: used }] = await database.query('select used_micro from inference_wallet where org_id = $1', [org]);
  const [{ uncovered }] = await database.query('select coalesce(sum(uncovered_micro), 0) as uncovered from inference_entry');
  const needed = Math.min(...refused.map(({ text }) => JSON.parse(text).error.details.neededMicro));
  console.log(`\n${name}: ${served} served, ${refused.length} refused, ${others.length} others, ${seconds.toFixed(1)} s`);
  for (const one of others.slice(0, 3)) console.log(one.status, one.fault ?? one.text.slice(0, 200));
  expectThat('0 micro-credits overspent', Number(used) <= cap && Number(uncovered) === 0, `${used - before} of ${cap - before} used, ${uncovered} uncovered`);
  expectThat('0 refusals while 256 output tokens are affordable', cap - Number(used) < needed, `${cap - used} left, a call needs ${needed}`);
  expectThat('every call was answered', others.length === 0);
  expectThat('the books agree', (await database.query('select * from inference_audit')).length === 0);
}

await round('asking for the 256 tokens they get', 256);
await round('asking for 4,000 tokens and getting 256', 4_000);
const { input: input_, output } = await provider.books();
const [{ sum }] = await database.query('select sum(amount_micro) from inference_entry');
expectThat("the entries are the provider's own books", Number(sum) === input_ + 2 * output, `${sum} and ${input_ + 2 * output}`);
for (const node of nodes) await node.stop();
finish();
