// Tests the inference ledger against a model of its rules and on two connections: no overspending, each hold ends once, sums match.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import { createLedger, type Ledger, type Reservation, type Settlement } from '../../../../builtins/control-plane/plane-inference/ledger.ts';
import { runs } from '../../../helpers/dice.ts';
import { startPlane, type Plane } from '../../../helpers/plane.ts';

const builtins = ['plane-database', 'plane-signals', 'plane-keys', 'plane-people', 'plane-licenses', 'plane-inference', 'plane-serve'];
let plane: Plane;
let other: Plane;
let database: Database;
let ledger: Ledger;
let priceId: number;
let count = 0;

beforeAll(async () => {
  plane = await startPlane({ builtins });
  other = plane.databaseUrl === '' ? plane : await startPlane({ builtins, databaseUrl: plane.databaseUrl });
  database = plane.kernel.resolve('database');
  ledger = createLedger(database, () => 600_000);
  const [row] = await database.query<{ id: number }>(`insert into inference_price (model, valid_from, price) values ('m', now(), '{}') returning id`);
  priceId = row?.id ?? 0;
});
afterAll(async () => {
  if (other !== plane) await other.close();
  await plane.close();
});

async function newWallet(capMicro: number): Promise<string> {
  const orgId = `org_${count++}`;
  await plane.kernel.resolve('wallets').set(orgId, { capMicro });
  return orgId;
}
function reservation(orgId: string, minimumMicro: number, wantedMicro: number, userId = 'ann'): Reservation {
  const holdId = `hold_${count++}`;
  return { holdId, orgId, userId, requestId: holdId, kind: 'chat', model: 'm', purpose: 'chat', priceId, minimumMicro, wantedMicro, estimateMicro: 1 };
}
const settlement = (amountMicro: number): Settlement => ({ amountMicro, basis: 'usage', outcome: 'complete' });
const audit = (): Promise<unknown[]> => database.query('select * from inference_audit');
const state = async (orgId: string): Promise<unknown[]> => {
  const { capMicro, usedMicro, heldMicro } = await plane.kernel.resolve('wallets').state(orgId);
  return [capMicro, usedMicro, heldMicro];
};

/** Reference model of the wallet rules. */
interface Model {
  orgId: string;
  cap: number;
  used: number;
  readonly caps: Map<string, { cap: number; used: number }>;
  readonly holds: Map<string, { user: string; amount: number }>;
  readonly over: string[];
}
const heldIn = (model: Model, user?: string): number =>
  [...model.holds.values()].filter((one) => user === undefined || one.user === user).reduce((sum, { amount }) => sum + amount, 0);
const roomIn = (model: Model, user: string): number => {
  const own = model.caps.get(user);
  return Math.min(model.cap - model.used - heldIn(model), own ? own.cap - own.used - heldIn(model, user) : Infinity);
};

class Step implements fc.AsyncCommand<Model, Ledger> {
  readonly what: 'reserve' | 'settle' | 'release' | 'again' | 'cap' | 'share';
  readonly user: string;
  readonly pick: number;
  readonly amount: number;
  constructor(what: Step['what'], user: string, pick: number, amount: number) {
    this.what = what;
    this.user = user;
    this.pick = pick;
    this.amount = amount;
  }
  check(model: Readonly<Model>): boolean {
    if (this.what === 'settle' || this.what === 'release') return model.holds.size > 0;
    return this.what !== 'again' || model.over.length > 0;
  }
  async run(model: Model): Promise<void> {
    await this[this.what](model);
    expect(await state(model.orgId)).toEqual([model.cap, model.used, heldIn(model)]);
  }
  async reserve(model: Model): Promise<void> {
    const minimum = Math.ceil(this.amount / 3);
    const asked = reservation(model.orgId, minimum, this.amount, this.user);
    const { grantedMicro } = await ledger.reserve(asked);
    const room = roomIn(model, this.user);
    expect(grantedMicro).toBe(room < minimum ? undefined : Math.min(this.amount, room));
    if (grantedMicro !== undefined) model.holds.set(asked.holdId, { user: this.user, amount: grantedMicro });
  }
  async settle(model: Model): Promise<void> {
    const [holdId, { user, amount }] = [...model.holds][this.pick % model.holds.size]!;
    const covered = Math.min(this.amount, Math.max(amount, roomIn(model, user) + amount));
    expect(await ledger.settle(holdId, settlement(this.amount))).toMatchObject({ isFirst: true, amountMicro: covered, uncoveredMicro: this.amount - covered });
    model.holds.delete(holdId);
    model.over.push(holdId);
    model.used += covered;
    const own = model.caps.get(user);
    if (own) own.used += covered;
  }
  async release(model: Model): Promise<void> {
    const [holdId] = [...model.holds][this.pick % model.holds.size]!;
    expect(await ledger.release(holdId)).toBe(true);
    model.holds.delete(holdId);
    model.over.push(holdId);
  }
  async again(model: Model): Promise<void> {
    const holdId = model.over[this.pick % model.over.length]!;
    expect((await ledger.settle(holdId, settlement(this.amount))).isFirst).toBe(false);
    expect(await ledger.release(holdId)).toBe(false);
  }
  async cap(model: Model): Promise<void> {
    model.cap = this.amount * 4;
    await plane.kernel.resolve('wallets').set(model.orgId, { capMicro: model.cap });
  }
  async share(model: Model): Promise<void> {
    const known = model.caps.get(this.user);
    if (known && this.pick % 3 === 0) {
      model.caps.delete(this.user);
      return plane.kernel.resolve('wallets').setMemberCap(model.orgId, this.user, undefined);
    }
    await plane.kernel.resolve('wallets').setMemberCap(model.orgId, this.user, this.amount);
    const [row] = await database.query<{ used: number }>(
      'select coalesce(sum(amount_micro), 0)::bigint as used from inference_entry where org_id = $1 and user_id = $2',
      [model.orgId, this.user],
    );
    model.caps.set(this.user, { cap: this.amount, used: row?.used ?? 0 });
  }
  toString(): string {
    return `${this.what}(${this.user}, ${this.pick}, ${this.amount})`;
  }
}

test('matches the model after any sequence of reserve, settle, release and cap', { timeout: 60_000 }, async () => {
  const what = fc.constantFrom(
    'reserve' as const,
    'reserve' as const,
    'settle' as const,
    'release' as const,
    'again' as const,
    'cap' as const,
    'share' as const,
  );
  const step = fc.tuple(what, fc.constantFrom('ann', 'bob'), fc.nat(20), fc.nat(1_000)).map((parts) => new Step(...parts));
  await fc.assert(
    fc.asyncProperty(fc.commands([step], { maxCommands: 30 }), async (commands) => {
      const orgId = await newWallet(1_000);
      const model: Model = { orgId, cap: 1_000, used: 0, caps: new Map(), holds: new Map(), over: [] };
      await fc.asyncModelRun(() => ({ model, real: ledger }), commands);
    }),
    runs(25),
  );
  expect(await audit()).toEqual([]);
});

test('never overspends with concurrent calls on two nodes and settles each hold once', { timeout: 30_000 }, async () => {
  const there = createLedger(other.kernel.resolve('database'), () => 600_000);
  const orgId = await newWallet(1_000);
  const asked = Array.from({ length: 60 }, () => reservation(orgId, 100, 100));
  const answers = await Promise.all(asked.map((one, index) => (index % 2 ? ledger : there).reserve(one)));
  const held = asked.filter((_, index) => answers[index]?.grantedMicro !== undefined);
  expect(held).toHaveLength(10);
  expect(await state(orgId)).toEqual([1_000, 0, 1_000]);
  const settled = await Promise.all(held.flatMap(({ holdId }) => [ledger, there, ledger].map((one) => one.settle(holdId, settlement(70)))));
  expect(settled.filter(({ isFirst }) => isFirst)).toHaveLength(10);
  expect(settled.every(({ amountMicro }) => amountMicro === 70)).toBe(true);
  expect(await state(orgId)).toEqual([1_000, 700, 0]);
  expect(await audit()).toEqual([]);
});

test('releases an expired hold if nothing was sent, else settles it by its estimate', async () => {
  const short = createLedger(database, () => -1);
  const orgId = await newWallet(1_000);
  const [unsent, sent, live] = [reservation(orgId, 100, 100), reservation(orgId, 100, 100), reservation(orgId, 100, 100)];
  await short.reserve(unsent);
  await short.reserve(sent);
  await short.touch([{ holdId: sent.holdId, estimateMicro: 42 }]);
  await short.reserve(live);
  await ledger.touch([{ holdId: live.holdId, estimateMicro: 7 }]);
  expect(await ledger.sweep(1_000)).toBe(2);
  expect(await state(orgId)).toEqual([1_000, 42, 100]);
  expect(await database.query('select hold_id, basis, outcome from inference_entry where org_id = $1', [orgId])).toEqual([
    { hold_id: sent.holdId, basis: 'estimate', outcome: 'expired' },
  ]);
  expect(await ledger.settle(sent.holdId, settlement(90))).toMatchObject({ isFirst: false, amountMicro: 42 });
});

test('rejects changes and deletions of an entry', async () => {
  const orgId = await newWallet(1_000);
  const one = reservation(orgId, 10, 10);
  await ledger.reserve(one);
  await ledger.settle(one.holdId, settlement(5));
  for (const sql of ['update inference_entry set amount_micro = 0', 'delete from inference_entry', 'truncate inference_entry'])
    await expect(database.query(sql)).rejects.toMatchObject({ code: '23001' });
});

test('starts a new period with the next call in the organisation’s time zone and keeps open holds', async () => {
  const orgId = await newWallet(1_000);
  await plane.kernel.resolve('wallets').set(orgId, { timeZone: 'Pacific/Auckland' });
  const [first, second] = [reservation(orgId, 600, 600), reservation(orgId, 300, 300)];
  await ledger.reserve(first);
  await ledger.reserve(second);
  await ledger.settle(first.holdId, settlement(600));
  await database.query(`update inference_wallet set period_end = now() - interval '1 second' where org_id = $1`, [orgId]);
  const { grantedMicro } = await ledger.reserve(reservation(orgId, 1, 900));
  expect(grantedMicro).toBe(700);
  await ledger.settle(second.holdId, settlement(300));
  const { periodStart, periodEnd, usedMicro } = await plane.kernel.resolve('wallets').state(orgId);
  expect(usedMicro).toBe(300);
  for (const at of [periodStart, periodEnd])
    expect(new Intl.DateTimeFormat('en', { timeZone: 'Pacific/Auckland', day: 'numeric', hour: 'numeric', hourCycle: 'h23' }).format(at)).toBe('1, 00');
  await plane.kernel.resolve('wallets').set(orgId, { period: 'none' });
  expect(await plane.kernel.resolve('wallets').state(orgId)).not.toHaveProperty('periodEnd');
});

test('warns once at 80 percent and once at 95 percent', async () => {
  const orgId = await newWallet(1_000);
  const spend = async (amount: number): Promise<number | undefined> => {
    const one = reservation(orgId, amount, amount);
    await ledger.reserve(one);
    return (await ledger.settle(one.holdId, settlement(amount))).warning;
  };
  expect([await spend(790), await spend(10), await spend(10), await spend(150), await spend(5)]).toEqual([undefined, 80, undefined, 95, undefined]);
});

test('gives no warning for a wallet with a cap of zero', async () => {
  const orgId = await newWallet(1_000);
  const [used, returned] = [reservation(orgId, 10, 10), reservation(orgId, 10, 10)];
  await ledger.reserve(used);
  await ledger.reserve(returned);
  await plane.kernel.resolve('wallets').set(orgId, { capMicro: 0 });
  await ledger.release(returned.holdId);
  expect(await ledger.settle(used.holdId, settlement(0))).not.toHaveProperty('warning');
  expect(await database.query('select warned from inference_wallet where org_id = $1', [orgId])).toEqual([{ warned: 0 }]);
});

test('deletes old ended holds, keeps their entries and answers a repeated settlement from them', async () => {
  const orgId = await newWallet(1_000);
  const [settled, returned, open, fresh] = [1, 2, 3, 4].map(() => reservation(orgId, 10, 10)) as [Reservation, Reservation, Reservation, Reservation];
  for (const one of [settled, returned, open, fresh]) await ledger.reserve(one);
  await ledger.settle(settled.holdId, settlement(7));
  await ledger.release(returned.holdId);
  await ledger.settle(fresh.holdId, settlement(3));
  await database.query(`update inference_hold set ended_at = ended_at - interval '31 days' where id = any($1)`, [[settled.holdId, returned.holdId]]);
  expect([await ledger.forget(30, 1), await ledger.forget(30, 10), await ledger.forget(30, 10)]).toEqual([1, 1, 0]);
  const left = await database.query<{ id: string }>('select id from inference_hold where org_id = $1 order by id', [orgId]);
  expect(left.map(({ id }) => id)).toEqual([open.holdId, fresh.holdId].sort());
  expect(await ledger.settle(settled.holdId, settlement(9))).toMatchObject({ isFirst: false, amountMicro: 7 });
  expect(await ledger.release(settled.holdId)).toBe(false);
  expect(await state(orgId)).toEqual([1_000, 10, 10]);
  expect(await audit()).toEqual([]);
});
