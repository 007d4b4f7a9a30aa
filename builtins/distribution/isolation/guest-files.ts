// The files of a plugin outside the server's process: `fs` looks at each path without links, and then uses exactly what it looked at.
import * as nodeFs from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refusal, refused, replace, uncurry, type AnyFunction, type Exports } from './guest-refusal.ts';

type Rule = (args: unknown[]) => void;

const { apply, ownKeys, getOwnPropertyDescriptor, getPrototypeOf, defineProperty } = Reflect;
const startsWith = uncurry(String.prototype.startsWith);
const slice = uncurry(String.prototype.slice);
const bytesText = uncurry((Buffer.prototype as Buffer).toString);
const isIn = uncurry(Set.prototype.has);
const put = uncurry(Set.prototype.add);
const take = uncurry(Set.prototype.delete);
const hrefOf = uncurry(getOwnPropertyDescriptor(URL.prototype, 'href')?.get);
const isSymbolicLink = uncurry(nodeFs.Stats.prototype.isSymbolicLink);
const { isBuffer } = Buffer;
const { lstatSync } = nodeFs;
const realpath = nodeFs.realpathSync.native;
const UrlOf = URL;
const require = createRequire(import.meta.url);

/** They open by the functions of `fs` as it then is, or hold no file. */
const classesOfFs = new Set<PropertyKey>(
  'ReadStream WriteStream FileReadStream FileWriteStream createReadStream createWriteStream Stats BigIntStats Dirent _toUnixTimestamp'.split(' '),
);

export interface FileRules {
  /** Descriptors that it opened itself. */
  readonly own: Set<unknown>;
  /** Throws; answers the path as it is to be used, without links. */
  read(path: unknown): string;
  write(path: unknown): string;
  readonly of: Readonly<Record<string, Rule>>;
}

/** @param readable absolute paths of files and folders @param writable these, too, may be read */
export function fileRules(readable: readonly string[], writable: readonly string[]): FileRules {
  const readRoots = [...readable, ...writable].map(realOf);
  const writeRoots = writable.map(realOf);
  const own = new Set<unknown>();
  const within = (path: unknown, roots: readonly string[]): string => {
    const full = realOf(textOf(path));
    for (let at = 0; at < roots.length; at++) if (full === roots[at] || startsWith(full, `${roots[at]}${sep}`)) return full;
    throw refusal(`use ${full}`, `name it in capabilities.${roots === writeRoots ? 'write' : 'read'} of the manifest`);
  };
  const read = (path: unknown): string => within(path, readRoots);
  const write = (path: unknown): string => within(path, writeRoots);
  const ownFd = (fd: unknown): unknown => {
    if (!isIn(own, fd)) throw refusal(`use the descriptor ${String(fd)}`, 'open the file itself');
    return fd;
  };
  const onFirst =
    (of: (path: unknown) => unknown): Rule =>
    (args) =>
      void (args[0] = of(args[0]));
  const withFd =
    (of: (path: unknown) => unknown): Rule =>
    (args) =>
      void (args[0] = typeof args[0] === 'number' ? ownFd(args[0]) : of(args[0]));
  const isReading = (flags: unknown): boolean => flags === undefined || flags === null || flags === 'r' || flags === 0;
  const table: Record<string, Rule> = {};
  const rule = (names: string, of: Rule): void => names.split(' ').forEach((name) => (table[name] = of));
  rule('access exists lstat stat statfs readdir readlink realpath opendir', onFirst(read));
  rule('readFile', withFd(read));
  rule('appendFile writeFile', withFd(write));
  rule('chmod chown lchmod lchown mkdir rm rmdir unlink truncate utimes lutimes', onFirst(write));
  rule('close fchmod fchown fdatasync fstat fsync ftruncate futimes read readv write writev', onFirst(ownFd));
  rule('mkdtemp', (args) => {
    const prefix = textOf(args[0]);
    write(dirname(`${prefix}x`));
    args[0] = prefix;
  });
  rule('open', (args) => void (args[0] = typeof args[1] === 'function' || isReading(args[1]) ? read(args[0]) : write(args[0])));
  rule('copyFile', (args) => {
    args[0] = read(args[0]);
    args[1] = write(args[1]);
  });
  rule('rename', (args) => {
    args[0] = write(args[0]);
    args[1] = write(args[1]);
  });
  return { own, read, write, of: table };
}

/** Contract: once. */
export function guardFiles({ of, own }: FileRules): void {
  const fs = require('node:fs') as Exports;
  const promises = fs['promises'] as Exports;
  for (const key of ownKeys(fs)) {
    // Numbers; from node 24 on it warns whoever reads them.
    if (typeof key !== 'string' || key.endsWith('_OK')) continue;
    const original = fs[key];
    if (typeof original !== 'function' || classesOfFs.has(key)) continue;
    const rule = of[key.replace(/Sync$/, '')];
    if (!rule) replace(fs, key, refused(`fs.${key}`));
    else if (key === 'existsSync') replace(fs, key, answersFalse(original as AnyFunction, rule));
    else
      replace(
        fs,
        key,
        guarded(
          original as AnyFunction,
          rule,
          key.startsWith('open') && key !== 'opendir' && key !== 'opendirSync' ? (fd) => put(own, fd) : undefined,
          key.startsWith('close') ? (fd) => take(own, fd) : undefined,
        ),
      );
  }
  for (const key of ownKeys(promises)) {
    const original = promises[key];
    if (typeof key !== 'string' || typeof original !== 'function') continue;
    // An open file of these is an object that takes any descriptor.
    const rule = key === 'open' ? undefined : of[key];
    if (!rule) replace(promises, key, refused(`fs.promises.${key}`));
    else {
      replace(promises, key, async (...args: unknown[]) => {
        if (typeof args[0] === 'number') throw refusal('use a descriptor here', 'give a path');
        rule(args);
        return apply(original as AnyFunction, promises, args);
      });
    }
  }
}

/** @param onOpen gets the descriptor that it answers or hands to its callback @param onClose gets the one it was given */
function guarded(original: AnyFunction, rule: Rule, onOpen?: (fd: unknown) => void, onClose?: (fd: unknown) => void): AnyFunction {
  return function (this: unknown, ...args: unknown[]): unknown {
    rule(args);
    onClose?.(args[0]);
    const last = args.length - 1;
    const answer = args[last];
    if (onOpen && typeof answer === 'function') {
      args[last] = (fault: unknown, fd: unknown): unknown => {
        if (!fault) onOpen(fd);
        return apply(answer as AnyFunction, undefined, [fault, fd]);
      };
    }
    const value = apply(original, this, args);
    if (typeof value === 'number') onOpen?.(value);
    return value;
  };
}

/** As it is asked before something is used; who may not see it sees nothing. */
function answersFalse(original: AnyFunction, rule: Rule): AnyFunction {
  return function (...args: unknown[]): unknown {
    try {
      rule(args);
    } catch {
      return false;
    }
    return apply(original, undefined, args);
  };
}

/** Inside of node, an open file is what a promise resolves to; a `then` that every object had would get it, and with it a class that takes any descriptor. */
export async function lockFileHandles(): Promise<void> {
  const found = new Set<object>();
  defineProperty(Object.prototype, 'then', {
    get(this: object) {
      const proto = getPrototypeOf(this);
      if (proto?.constructor.name === 'FileHandle') found.add(proto);
      return undefined;
    },
    configurable: true,
  });
  try {
    await (await nodeFs.promises.open(fileURLToPath(import.meta.url))).close();
  } finally {
    Reflect.deleteProperty(Object.prototype, 'then');
  }
  for (const proto of found) {
    replace(proto as Exports, 'then', undefined);
    replace(proto as Exports, 'constructor', undefined);
  }
}

/** As it is used afterwards, made once. */
function textOf(path: unknown): string {
  if (typeof path === 'string') return path;
  if (isBuffer(path)) return bytesText(path, 'utf8') as string;
  if (path instanceof UrlOf) return fileURLToPath(hrefOf(path) as string);
  throw new TypeError('a path is a text, bytes or a URL');
}

/** Through links, as far as there is something. */
function realOf(path: string): string {
  const full = resolve(path);
  try {
    return realpath(full);
  } catch {
    const above = dirname(full);
    if (above === full) return full;
    const link = statOf(full);
    if (link && isSymbolicLink(link)) throw refusal(`use ${full}`, 'it is a link that leads nowhere');
    return join(realOf(above), slice(full, above === sep ? 1 : above.length + 1) as string);
  }
}

function statOf(path: string): unknown {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
