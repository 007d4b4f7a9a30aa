// Opens resources before the tests of a file and closes them afterwards.
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished } from 'vitest';

type Close = () => unknown;
type Hook = (run: () => Promise<void>) => void;

/** Opens a value for each test. Values are closed in reverse order. Errors while closing fail the test. */
export const useEach = <T extends object>(open: () => T | Promise<T>): T => use(open, beforeEach, afterEach);

/** Like `useEach`, with one value for all tests of the file or `describe`. */
export const useAll = <T extends object>(open: () => T | Promise<T>): T => use(open, beforeAll, afterAll);

function use<T extends object>(open: () => T | Promise<T>, before: Hook, after: Hook): T {
  let opened: T | undefined;
  before(async () => void (opened = await open()));
  after(async () => {
    const close = (opened as { readonly close?: Close } | undefined)?.close;
    const faults = await close?.call(opened);
    opened = undefined;
    if (Array.isArray(faults)) expect(faults).toEqual([]);
  });
  const current = (): T => {
    if (opened === undefined) throw new Error('This is open only while a test runs.');
    return opened;
  };
  return new Proxy({} as T, {
    get: (_, key) => Reflect.get(current(), key),
    set: (_, key, value) => Reflect.set(current(), key, value),
    has: (_, key) => Reflect.has(current(), key),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, key) => {
      const found = Reflect.getOwnPropertyDescriptor(current(), key);
      return found && { ...found, configurable: true };
    },
  });
}

let folders = 0;
const newPath = (prefix: string): string => join(tmpdir(), `${prefix}${process.pid}-${folders++}`);

/** Provides a folder that is empty at the start of each test and deleted after it. */
export function useFolder(prefix: string): string {
  const path = newPath(prefix);
  beforeEach(async () => {
    await make(path);
    onTestFinished(() => rm(path, { recursive: true, force: true }));
  });
  return path;
}

/** Like `useFolder`, with one folder for all tests of the file. */
export function useFolderForAll(prefix: string): string {
  const path = newPath(prefix);
  beforeAll(() => make(path));
  afterAll(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function make(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await mkdir(path);
}
