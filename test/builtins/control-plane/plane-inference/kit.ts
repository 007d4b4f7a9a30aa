// A plane with a provider behind it, a wallet, prices, and a member with a license.
import { onTestFinished } from 'vitest';
import { addMember, startPlane, type AddedMember, type Plane } from '../../../helpers/plane.ts';
import { startScriptedModel, type Script, type ScriptedModel } from '../../../helpers/scripted-model.ts';

export interface Rig {
  readonly plane: Plane;
  readonly model: ScriptedModel;
  readonly member: AddedMember;
  readonly orgId: string;
  wallet(): Promise<any>;
  receipts(): Promise<any[]>;
  /** Resolves once every call is settled. */
  settled(count: number): Promise<any[]>;
  query<T = any>(sql: string, parameters?: readonly unknown[]): Promise<T[]>;
}

/** 1 micro-credit for an input token, half of one for a cached one, 2 for an output token. */
export const price = { inputPerMillion: 1, cachedPerMillion: 0.5, outputPerMillion: 2 };

export async function startRig(
  script: Script,
  options: { readonly credits?: number; readonly environment?: Readonly<Record<string, string>>; readonly databaseUrl?: string } = {},
): Promise<Rig> {
  const model = await startScriptedModel(script);
  onTestFinished(() => model.close());
  const environment = { HUB_UPSTREAM_BASE_URL: model.url, HUB_UPSTREAM_API_KEY: 'sk-upstream-secret', ...options.environment };
  const plane = await startPlane({ environment, ...(options.databaseUrl === undefined ? {} : { databaseUrl: options.databaseUrl }) });
  onTestFinished(() => plane.close());
  const member = await addMember(plane, { email: 'ann@example.org', role: 'owner' });
  const orgId = member.member.org.id;
  const database = plane.kernel.resolve('database');
  await plane.kernel.resolve('wallets').set(orgId, { capMicro: Math.round((options.credits ?? 1) * 1_000_000) });
  await database.query(`insert into inference_price (model, valid_from, price) values ('scripted', now() - interval '1 day', $1) on conflict do nothing`, [
    JSON.stringify({ ...price, charactersPerMillion: 15, audioPerMinute: 0.006 }),
  ]);
  const { token } = member;
  const rig: Rig = {
    plane,
    model,
    member,
    orgId,
    wallet: async () => (await plane.call('GET', '/api/inference/wallet', { token })).body,
    receipts: async () => (await plane.call('GET', '/api/inference/receipts', { token })).body.receipts,
    async settled(count) {
      for (;;) {
        const [receipts, { heldMicro }] = [await rig.receipts(), await rig.wallet()];
        if (receipts.length >= count && heldMicro === 0) return receipts;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    query: (sql, parameters) => database.query(sql, parameters) as never,
  };
  return rig;
}
