// Whether a connection surely comes from this machine and this user.
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** The address without the IPv4-in-IPv6 prefix; empty when the socket is gone. */
export function peerOf(socket: Socket): string {
  return plainAddress(socket.remoteAddress ?? '');
}

export function isLoopback(address: string): boolean {
  return address === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address);
}

/**
 * Looks the other end up in the kernel's socket table. Other systems than Linux have no such table, and there the answer is `true`.
 * Contract: the peer's address is a loopback address.
 */
export function isOwnUser(socket: Socket, platform: NodeJS.Platform = process.platform): boolean {
  if (platform !== 'linux') return true;
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  if (remoteAddress === undefined || remotePort === undefined || localAddress === undefined || localPort === undefined) return false;
  const ends = { local: { address: plainAddress(remoteAddress), port: remotePort }, remote: { address: plainAddress(localAddress), port: localPort } };
  const uid = ['/proc/net/tcp', '/proc/net/tcp6'].map((table) => findUid(readTable(table), ends)).find((found) => found !== undefined);
  return uid !== undefined && uid === process.getuid?.();
}

interface End {
  readonly address: string;
  readonly port: number;
}

const established = '01';

/** Only established connections count: one that its process has left behind shows as root's. */
export function findUid(table: string, ends: { readonly local: End; readonly remote: End }): number | undefined {
  const local = new Set(rowAddresses(ends.local));
  const remote = new Set(rowAddresses(ends.remote));
  for (const line of table.split('\n')) {
    const fields = line.trim().split(/\s+/);
    if (!local.has(fields[1] ?? '') || !remote.has(fields[2] ?? '') || fields[3] !== established) continue;
    return Number(fields[7]);
  }
  return undefined;
}

/** An address as the two tables write it: each 32-bit word in the machine's byte order, in hex. */
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
    return ''; // no such table, so nobody is found in it
  }
}

function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}
