// `pair`: a code for another device, which devices there are, and taking the access of one back.
import { setTimeout as delay } from 'node:timers/promises';
import { oneLine } from 'agent-harness/lib/text';
import type { CliOutput } from 'agent-harness/plugins/commands';
import { exitCodes, refuseUse, type RunCommand } from '../cli-parts.ts';
import { withServer } from '../find-server.ts';
import type { Client } from '../http-client.ts';
import { alignColumns } from '../table.ts';

interface Pairing {
  readonly code: string;
  readonly expiresAt: string;
  readonly address: string;
  readonly urls: readonly string[];
  readonly localOnly: boolean;
}
interface Device {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastSeenAt?: string;
}
interface DeviceList {
  readonly devices: readonly Device[];
  readonly openUntil: string | null;
}

const pollMs = 500;

export const pair: RunCommand = async (parts, { options, signal }, output) => {
  const { revoke } = options;
  const asList = options['list'] === true;
  if (asList && revoke !== undefined) return refuseUse(output, "'pair' takes --list or --revoke <id>, not both.");
  if (asList) return withServer(parts, signal, (client) => list(client, options['json'] === true, output));
  if (typeof revoke === 'string') return withServer(parts, signal, (client) => revokeDevice(client, revoke, output));
  return withServer(parts, signal, (client, isOurs) => (isOurs ? prepare(client, output) : waitForDevice(client, signal, output)));
};

/** Nobody reaches a server that lives as long as this command; but from now on one may be started that others reach. */
async function prepare(client: Client, output: CliOutput): Promise<number> {
  await client.call<Pairing>('POST', '/api/pair/begin');
  output.err(`No server is running. ${howToOpen}\n`);
  return exitCodes.failed;
}

const howToOpen = "Start one that other devices reach, with 'serve --host 0.0.0.0' or AGENT_WEB_BIND_HOST=0.0.0.0, then pair again.";

async function waitForDevice(client: Client, signal: AbortSignal, output: CliOutput): Promise<number> {
  const before = new Set((await read(client)).devices.map(({ id }) => id));
  const pairing = await client.call<Pairing>('POST', '/api/pair/begin');
  output.out(await describe(pairing));
  if (pairing.localOnly) output.err(`The server listens on this machine only. ${howToOpen}\n`);
  while (!signal.aborted) {
    const { devices, openUntil } = await read(client);
    const fresh = devices.find(({ id }) => !before.has(id));
    if (fresh) {
      output.out(`Paired: ${oneLine(fresh.name, 100)} (${fresh.id})\n`);
      return exitCodes.done;
    }
    if (openUntil !== pairing.expiresAt) {
      output.err(openUntil === null ? 'The code has run out; nobody was paired.\n' : 'Another code was given out meanwhile; this one counts no longer.\n');
      return exitCodes.failed;
    }
    await delay(pollMs, undefined, { signal }).catch(() => undefined); // aborted: the loop looks at the signal itself
  }
  return exitCodes.failed;
}

async function describe({ code, address, urls }: Pairing): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr');
  const spelt = `${code.slice(0, 4)}-${code.slice(4)}`;
  const picture = renderUnicodeCompact(address, { border: 2 });
  return `${picture}\n\nPoint the camera of the other device at it, or open one of these there and type the code:\n\n${urls.map((url) => `  ${url}\n`).join('')}\n  ${spelt}\n\nThe code works once, for 5 minutes; Ctrl-C stops waiting.\n`;
}

async function list(client: Client, asJson: boolean, output: CliOutput): Promise<number> {
  const { devices } = await read(client);
  if (asJson) output.out(`${JSON.stringify({ devices }, undefined, 2)}\n`);
  else if (devices.length === 0) output.out('No device is paired.\n');
  else {
    const day = (time: string | undefined): string => time?.slice(0, 16).replace('T', ' ') ?? 'never';
    output.out(
      alignColumns(devices.map(({ id, name, createdAt, lastSeenAt }) => [id, `paired ${day(createdAt)}`, `seen ${day(lastSeenAt)}`, oneLine(name, 60)])),
    );
  }
  return exitCodes.done;
}

async function revokeDevice(client: Client, id: string, output: CliOutput): Promise<number> {
  await client.call('DELETE', `/api/pair/devices/${encodeURIComponent(id)}`);
  output.out('Revoked; its token is refused from now on.\n');
  return exitCodes.done;
}

function read(client: Client): Promise<DeviceList> {
  return client.call<DeviceList>('GET', '/api/pair/devices');
}
