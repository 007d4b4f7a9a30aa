// 500 streams cut at random bytes settle once each; after 10,000 random aborts, with nodes killed meanwhile, no hold is left and the books agree.
// `node test/bench/plane/inference-aborts.mjs [streams] [aborts]`
import { call, expectThat, finish, now, setUp, startNode, startPostgres, startProvider, until } from './inference-kit.mjs';

const streams = Number(process.argv[2] ?? 500);
const aborts = Number(process.argv[3] ?? 10_000);
const database = await startPostgres();
const provider = await startProvider();
const { token, setWallet } = setUp(database.url);
const environment = { HUB_UPSTREAM_BASE_URL: provider.url, HUB_HOLD_MS: '3000', HUB_DRAIN_MS: '2000' };
const nodes = [await startNode(database.url, 'one', environment), await startNode(database.url, 'two', environment)];
const [{ id: org }] = await database.query('select id from organisation limit 1');
setWallet(org, 1_000);
const path = '/api/inference/v1/chat/completions';
const bodyOf = (chunks, gapMs) => ({
  model: 'm',
  messages: [{ role: 'user', content: 'Hello' }],
  max_tokens: 1_000,
  stream: true,
  user: JSON.stringify({ chunks, gapMs, input: 14 }),
});
const noHolds = () => until(async () => (await database.query("select 1 from inference_hold where state = 'held' limit 1")).length === 0, 120);
const entries = async () =>
  (await database.query('select count(*) as count, count(distinct hold_id) as holds, coalesce(sum(amount_micro), 0) as sum from inference_entry'))[0];

async function many(count, atOnce, one) {
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) await one(next++);
    }),
  );
}

const answers = [];
await many(streams, 32, async (index) => {
  const chunks = 5 + Math.floor(Math.random() * 60);
  answers.push(
    await call(nodes[index % 2].url + path, token, bodyOf(chunks, Math.random() < 0.5 ? 1 : 0), { cutAt: Math.floor(Math.random() * chunks * 160) }),
  );
});
await noHolds();
const books = await provider.books();
const cut = await entries();
const [{ count: voided }] = await database.query("select count(*) from inference_hold where state = 'voided'");
console.log(
  `${streams} streams: ${answers.filter(({ isComplete }) => !isComplete).length} cut, ${books.calls} reached the provider, ${cut.count} settled, ${voided} given back`,
);
expectThat('every stream that reached the provider is settled exactly once', Number(cut.count) === books.calls && cut.count === cut.holds);
expectThat(
  "what was settled is what the provider's books say",
  Number(cut.sum) === books.input + 2 * books.output,
  `${cut.sum} and ${books.input + 2 * books.output}`,
);

const started = now();
let killed = 0;
let done = 0;
let isOver = false;
const killing = (async () => {
  while (!isOver) {
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    if (isOver) return;
    const at = killed++ % 2;
    await nodes[at].kill();
    nodes[at] = await startNode(database.url, at === 0 ? 'one' : 'two', environment);
  }
})();
await many(aborts, 48, async (index) => {
  const chunks = 5 + Math.floor(Math.random() * 40);
  await call(nodes[index % 2].url + path, token, bodyOf(chunks, Math.random() < 0.3 ? 1 : 0), {
    cutAt: Math.random() < 0.2 ? 0 : Math.floor(Math.random() * chunks * 160),
  });
  done++;
});
isOver = true;
await killing;
console.log(`\n${done} aborts and ${killed} kills in ${((now() - started) / 1_000).toFixed(0)} s`);
await noHolds();
const all = await entries();
expectThat('no hold is left', true);
expectThat('no hold has two entries', all.count === all.holds, `${all.count} entries`);
expectThat('the books agree', (await database.query('select * from inference_audit')).length === 0);
const [{ count: wrong }] = await database.query(
  "select count(*) from inference_hold h left join inference_entry e on e.hold_id = h.id where (h.state = 'settled') <> (e.id is not null)",
);
expectThat('what is settled has an entry, and nothing else has', Number(wrong) === 0);
for (const node of nodes) await node.stop();
finish();
