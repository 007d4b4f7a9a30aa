// Checks whether a connection certainly comes from the user: from this machine, by this user, and from a program that the agent did not start.
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { plainAddress } from '#lib/hosts';
import type { Processes } from 'agent-harness/plugins/processes';

/** Returns the address without the IPv4-in-IPv6 prefix; empty for a closed socket. */
export function peerOf(socket: Socket): string {
  return plainAddress(socket.remoteAddress ?? '');
}

/**
 * Returns whether the other end belongs to programs of this user that were not started by this server or its commands and do not run in a sandbox. Programs of
 * the agent run as the same user, but are not the user. Uses the kernel's tables on Linux; on other systems, which have none, the result is `true`. Contract:
 * the peer's address is a loopback address.
 */
export function isPerson(socket: Socket, processes: Pick<Processes, 'isOurs'>, platform: NodeJS.Platform = process.platform): boolean {
  if (platform !== 'linux') return true;
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  if (remoteAddress === undefined || remotePort === undefined || localAddress === undefined || localPort === undefined) return false;
  const ends = { local: { address: plainAddress(remoteAddress), port: remotePort }, remote: { address: plainAddress(localAddress), port: localPort } };
  const held = ['/proc/net/tcp', '/proc/net/tcp6'].map((table) => findSocket(readTable(table), ends)).find((found) => found !== undefined);
  if (held?.uid !== process.getuid?.()) return false;
  const holders = held ? holdersOf(held.inode) : [];
  // A process that cannot be inspected is missing from `holders`.
  return holders.length > 0 && !holders.some((pid) => processes.isOurs(pid));
}

interface End {
  readonly address: string;
  readonly port: number;
}

const established = '01';

/** Finds a connection in a system table. Ignores connections that are not established, because the table lists abandoned connections under root. */
export function findSocket(table: string, ends: { readonly local: End; readonly remote: End }): { readonly uid: number; readonly inode: string } | undefined {
  const local = new Set(rowAddresses(ends.local));
  const remote = new Set(rowAddresses(ends.remote));
  for (const line of table.split('\n')) {
    const fields = line.trim().split(/\s+/);
    if (!local.has(fields[1] ?? '') || !remote.has(fields[2] ?? '') || fields[3] !== established) continue;
    return { uid: Number(fields[7]), inode: fields[9] ?? '' };
  }
  return undefined;
}

/** Returns the ids of all processes of this user that have the socket open, because a program may pass a socket to others. */
function holdersOf(inode: string): number[] {
  const name = `socket:[${inode}]`;
  const uid = process.getuid?.();
  return namesIn('/proc')
    .filter((pid) => /^\d+$/.test(pid) && ownerOf(`/proc/${pid}`) === uid && namesIn(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === name))
    .map(Number);
}

/** Formats an address as in the tables of the Linux kernel: each 32-bit word in the machine's byte order, in hex. */
function rowAddresses({ address, port }: End): string[] {
  const portText = port.toString(16).toUpperCase().padStart(4, '0');
  if (address === '::1') return [`${'0'.repeat(24)}01000000:${portText}`, `${'0'.repeat(24)}00000001:${portText}`];
  const bytes = address.split('.').map((part) => Number(part).toString(16).toUpperCase().padStart(2, '0'));
  const words = [[...bytes].reverse().join(''), bytes.join('')];
  return words.flatMap((word) => [`${word}:${portText}`, `0000000000000000FFFF0000${word}:${portText}`, `00000000000000000000FFFF${word}:${portText}`]);
}

function readTable(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // the system has no such table
  }
}

// Processes may end during the scan.
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function ownerOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.uid;
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
