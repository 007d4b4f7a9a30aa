// Starts a control plane with a scripted provider, a wallet, prices and a licensed member.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
  settled(count: number): Promise<any[]>;
  query<T = any>(sql: string, parameters?: readonly unknown[]): Promise<T[]>;
}

/** 1 micro-credit per input token, 0.5 per cached token, 2 per output token. */
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

/** Starts an audio provider that replies with the result of `answer`. Returns its base URL. */
export async function startSoundServer(answer: (path: string, body: Buffer) => { readonly type: string; readonly body: string | Buffer }): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const { type, body } = answer(request.url ?? '', Buffer.concat(chunks));
        response.writeHead(200, { 'content-type': type }).end(body);
      });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** WAV file with one 16-bit channel at 16 kHz. `rate`, `samples` and `channels` set the byte rate, sample rate and channel count of the header. */
export function wave(seconds: number, { rate = 32_000, samples = 16_000, channels = 1 } = {}): Buffer {
  const file = Buffer.alloc(44 + seconds * 32_000);
  file.write('RIFF', 0);
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8);
  [
    [16, 16],
    [24, samples],
    [28, rate],
    [40, file.length - 44],
  ].forEach(([at = 0, value = 0]) => file.writeUInt32LE(value, at));
  [
    [20, 1],
    [22, channels],
    [32, 2],
    [34, 16],
  ].forEach(([at = 0, value = 0]) => file.writeUInt16LE(value, at));
  file.write('data', 36);
  return file;
}
