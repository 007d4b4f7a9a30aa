// Kills a node at each statement of a model call: its hold is released or settled exactly once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { createLedger } from '../../../builtins/control-plane/plane-inference/ledger.ts';
import { hasTool } from '../../helpers/required-tools.ts';
import { startPlane } from '../../helpers/plane.ts';

/** Runs the statements of a call in order up to a point. Prints when each is sent and when it is answered. */
const node = `
const { default: pg } = await import('pg');
const [url, hold, price, last] = process.argv.slice(1);
const say = async (point) => {
  console.log(point);
  // It goes no further than there.
  if (point === last) await new Promise(() => setInterval(() => undefined, 1000));
};
const client = new pg.Client({ connectionString: url });
await client.connect();
const steps = [
  ['select * from inference_reserve($1, $2, $3, $1, $4, $5, $4, $6, 100, 100, 1, 60000)', [hold, 'org_k', 'ann', 'chat', 'm', price]],
  ["update inference_hold set sent_at = clock_timestamp(), estimate_micro = 42 where id = $1 and state = 'held'", [hold]],
  ["select * from inference_settle($1, 70, 10, 0, 30, null, 'usage', 'complete')", [hold]],
];
for (const [at, [sql, values]] of steps.entries()) {
  const answer = client.query(sql, values);
  await say('sent ' + at);
  await answer;
  await say('done ' + at);
}
`;

test.runIf(hasTool('PostgreSQL'))('settles or releases a hold exactly once when a node is killed at any statement', { timeout: 60_000 }, async () => {
  const plane = await startPlane({
    builtins: ['plane-database', 'plane-signals', 'plane-keys', 'plane-people', 'plane-licenses', 'plane-inference', 'plane-serve'],
  });
  onTestFinished(() => plane.close());
  const database = plane.kernel.resolve('database');
  await plane.kernel.resolve('wallets').set('org_k', { capMicro: 10_000 });
  const [price] = await database.query<{ id: number }>(`insert into inference_price (model, valid_from, price) values ('m', now(), '{}') returning id`);
  const points = [0, 1, 2].flatMap((at) => [`sent ${at}`, `done ${at}`]);
  for (const [index, point] of points.entries()) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', node, plane.databaseUrl, `hold_k${index}`, String(price?.id), point], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    createInterface({ input: child.stdout }).on('line', (line) => void (line === point && child.kill('SIGKILL')));
    await ended;
  }
  // Statements sent before the kill may still be running.
  await expect
    .poll(() => database.query("select 1 from pg_stat_activity where application_name = '' and state = 'active' and backend_type = 'client backend'"))
    .toEqual([]);
  await database.query("update inference_hold set expires_at = now() - interval '1 second' where state = 'held'");
  await createLedger(database, () => 60_000).sweep(100);
  expect(await database.query("select 1 from inference_hold where state = 'held'")).toEqual([]);
  expect(await database.query('select * from inference_audit')).toEqual([]);
  const entries = await database.query<{ hold_id: string; amount_micro: number }>('select hold_id, amount_micro from inference_entry order by hold_id');
  const amounts = new Map(entries.map(({ hold_id: hold, amount_micro: amount }) => [hold, amount]));
  // Answered statements count. A statement that was only sent may or may not count.
  expect(amounts.has('hold_k1')).toBe(false);
  expect(amounts.get('hold_k3')).toBe(42);
  expect([42, 70]).toContain(amounts.get('hold_k4'));
  expect(amounts.get('hold_k5')).toBe(70);
});
