// Implements `pair`: creates a code for another device, lists devices, and revokes one.
import { setTimeout as delay } from 'node:timers/promises';
import { oneLine } from '#lib/text';
import type { CliOutput } from 'agent-harness/plugins/commands';
import { exitCodes, refuseUse, type RunCommand } from '../cli-parts.ts';
import { withServer } from '../find-server.ts';
import type { Client } from '../http-client.ts';
import { alignColumns } from '../table.ts';

interface Pairing {
  readonly code: string;
  readonly role: string;
  readonly expiresAt: string;
  readonly address: string;
  readonly urls: readonly string[];
  readonly localOnly: boolean;
}
interface Device {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly createdAt: string;
  readonly lastSeenAt?: string;
}
interface DeviceList {
  readonly devices: readonly Device[];
  readonly openUntil: string | null;
}

const pollMs = 500;
const roles = ['view', 'chat', 'full'];

export const pair: RunCommand = async (parts, { options, signal }, output) => {
  const { revoke, role } = options;
  const isOutside = options['outside'] === true;
  const asList = options['list'] === true;
  if (asList && revoke !== undefined) return refuseUse(output, '--list and --revoke <id> cannot be combined.');
  if (role !== undefined && (asList || revoke !== undefined)) return refuseUse(output, '--role applies to a new device only.');
  if (role !== undefined && !roles.some((one) => one === role)) return refuseUse(output, '--role must be view, chat or full.');
  if (isOutside && (asList || revoke !== undefined)) return refuseUse(output, '--outside applies to a new device only.');
  if (asList) return withServer(parts, signal, (client) => list(client, options['json'] === true, output));
  if (typeof revoke === 'string') return withServer(parts, signal, (client) => revokeDevice(client, revoke, output));
  return withServer(parts, signal, (client, isOurs) =>
    isOurs
      ? prepare(client, isOutside, output)
      : waitForDevice(
          client,
          options['network'] === true,
          { ...(typeof role === 'string' ? { role } : {}), ...(isOutside ? { way: 'outside' } : {}) },
          signal,
          output,
        ),
  );
};

/**
 * Prepares pairing while no server is running. A server started for this command would stop too early; after the first code has been created, the user can
 * start a reachable one.
 */
async function prepare(client: Client, isOutside: boolean, output: CliOutput): Promise<number> {
  if (!isOutside) await client.call<Pairing>('POST', '/api/pair/begin');
  output.err(`No server is running. ${isOutside ? "Start one with 'serve', then pair again." : howToOpen}\n`);
  return exitCodes.failed;
}

const howToOpen = "Start one that other devices reach, with 'serve --host 0.0.0.0' or AGENT_WEB_BIND_HOST=0.0.0.0, then pair again.";

async function waitForDevice(
  client: Client,
  isNetworkAllowed: boolean,
  wish: { readonly role?: string; readonly way?: string },
  signal: AbortSignal,
  output: CliOutput,
): Promise<number> {
  if (isNetworkAllowed) await client.call('PUT', '/api/pair/network', { isAllowed: true });
  const before = new Set((await read(client)).devices.map(({ id }) => id));
  const pairing = await client.call<Pairing>('POST', '/api/pair/begin', wish);
  output.out(await describe(pairing, wish.way !== undefined));
  if (pairing.localOnly) output.err("The server listens on this machine only. Run 'pair --network' to let devices in this network reach it.\n");
  while (!signal.aborted) {
    const { devices, openUntil } = await read(client);
    const fresh = devices.find(({ id }) => !before.has(id));
    if (fresh) {
      output.out(`Paired: ${oneLine(fresh.name, 100)} (${fresh.id})\n`);
      return exitCodes.done;
    }
    if (openUntil !== pairing.expiresAt) {
      output.err(
        openUntil === null ? 'The code has expired; no device was paired.\n' : 'A newer code was created in the meantime; this one is no longer valid.\n',
      );
      return exitCodes.failed;
    }
    await delay(pollMs, undefined, { signal }).catch(() => undefined); // aborted: the loop checks the signal itself
  }
  return exitCodes.failed;
}

async function describe({ code, role, address, urls }: Pairing, isOutside: boolean): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr');
  const spelt = `${code.slice(0, 4)}-${code.slice(4)}`;
  const picture = renderUnicodeCompact(address, { border: 2 });
  if (isOutside)
    return `${picture}\n\nPoint the camera of the phone at it, wherever it is, or send the address to it. The first device that opens it is paired:\n\n  ${address}\n\n${mayText[role] ?? ''}The address works once, for 5 minutes; Ctrl-C stops waiting.\n`;
  return `${picture}\n\nPoint the camera of the other device at it, or open one of these there and type the code:\n\n${urls.map((url) => `  ${url}\n`).join('')}\n  ${spelt}\n\n${mayText[role] ?? ''}The code works once, for 5 minutes; Ctrl-C stops waiting.\n`;
}

const mayText: Readonly<Record<string, string>> = {
  view: 'The device will read chats, and nothing else.\n',
  chat: 'The device will read chats, send messages and stop turns; approvals stay with you. --role full gives it everything.\n',
  full: 'The device will have the same permissions as you.\n',
};

async function list(client: Client, asJson: boolean, output: CliOutput): Promise<number> {
  const { devices } = await read(client);
  if (asJson) output.out(`${JSON.stringify({ devices }, undefined, 2)}\n`);
  else if (devices.length === 0) output.out('No device is paired.\n');
  else {
    const day = (time: string | undefined): string => time?.slice(0, 16).replace('T', ' ') ?? 'never';
    output.out(
      alignColumns(
        devices.map(({ id, name, role, createdAt, lastSeenAt }) => [id, role, `paired ${day(createdAt)}`, `seen ${day(lastSeenAt)}`, oneLine(name, 60)]),
      ),
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
