// Loaded first in a process apart: nothing of it reaches the network, and it starts no program but one for a plugin that runs apart. What it writes outside
// of its folder, node itself refuses.
import childProcess, { ChildProcess } from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import fs from 'node:fs';
import { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWithin } from 'agent-harness/lib/paths';

const refusal = (what: string): Error => Object.assign(new Error(`Nothing goes out while a turn is played: ${what}.`), { code: 'EACCES' });

net.Socket.prototype.connect = function (this: net.Socket) {
  return this.destroy(refusal('a connection'));
};
net.Server.prototype.listen = function () {
  throw refusal('a port');
} as typeof net.Server.prototype.listen;
for (const name of ['send', 'connect', 'bind'] as const)
  dgram.Socket.prototype[name] = (() => {
    throw refusal('a datagram');
  }) as never;
for (const resolver of [dns.Resolver.prototype, dns.promises.Resolver.prototype, dns, dns.promises] as unknown as Record<string, unknown>[])
  for (const name of ['lookup', 'lookupService', 'resolve', 'reverse', ...Object.keys(resolver).filter((one) => one.startsWith('resolve'))])
    if (typeof resolver[name] === 'function')
      resolver[name] = (...args: unknown[]) => {
        const hear = args.at(-1);
        if (typeof hear !== 'function') return Promise.reject(refusal('a name'));
        process.nextTick(hear, refusal('a name'));
        return undefined;
      };

// Node refuses to flush files where it watches what is written. Nothing here has to outlast a power cut.
const flushed = (_: number, hear: (fault: null) => void): void => process.nextTick(hear, null);
Object.assign(fs, { fsync: flushed, fdatasync: flushed, fsyncSync: () => undefined, fdatasyncSync: () => undefined });
const handle = await open(process.execPath);
Object.assign(Object.getPrototypeOf(handle) as object, { sync: () => Promise.resolve(), datasync: () => Promise.resolve() });
await handle.close();

interface Spawning {
  readonly args?: readonly string[];
  readonly envPairs?: readonly string[];
}

/** A plugin that runs in a process, which node and the code of that process wall in; or a look at whether the sandbox for that works. */
function isGuest({ args = [], envPairs = [] }: Spawning): boolean {
  if (envPairs.length > 0) return false;
  if (args.slice(-3).join(' ') === '/bin/sh -c :') return true;
  const [, ...given] = args.slice(args.indexOf(process.execPath));
  const script = given.find((one) => !one.startsWith('-'));
  const isOurs = script !== undefined && dirname(script) === dirname(fileURLToPath(import.meta.url));
  const isWalled = given.some((one) => /^--(experimental-)?permission$/.test(one)) && !given.includes('--allow-child-process');
  const writes = given.flatMap((one) => (one.startsWith('--allow-fs-write=') ? [one.slice('--allow-fs-write='.length)] : []));
  return args.includes(process.execPath) && isOurs && isWalled && writes.every((path) => home !== '' && isWithin(home, path));
}

const { HOME: home = '' } = process.env;
const { prototype } = ChildProcess as unknown as { readonly prototype: { spawn(options: Spawning): unknown } };
const { spawn } = prototype;
prototype.spawn = function (options) {
  if (!isGuest(options)) throw refusal('a program');
  return spawn.call(this, options);
};
for (const name of ['spawnSync', 'execSync', 'execFileSync'] as const)
  childProcess[name] = () => {
    throw refusal('a program');
  };
syncBuiltinESMExports();
