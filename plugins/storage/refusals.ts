// Converts file-system errors of the storage to coded errors, and reports each error once.
import type { KernelError } from 'agent-harness/kernel';
import { codeOf, fileRefusalOf } from '#lib/errors';

/** Error codes that concern the whole disk, regardless of the file. */
const ofDisk: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

type Reason = 'UNWRITABLE' | 'UNREADABLE';

export interface RefusalParts {
  readonly error: (reason: Reason, details: Readonly<Record<string, unknown>>, cause: unknown) => KernelError;
  /** Called once per error until the error no longer occurs. */
  readonly report: (refusal: KernelError) => void;
}

export interface Refusals {
  /** Returns the coded error for a file-system error; other errors unchanged. Without a path, it converts only errors that concern the whole disk. */
  of(fault: unknown, path?: string, reason?: Reason): unknown;
  /** Runs a write; converts its rejection as {@link Refusals.of} does. After a successful write, the error is considered resolved. */
  guard<T>(path: string, work: () => Promise<T>): Promise<T>;
  /** Runs a removal. Its success does not mean that a full disk has space again, because removals also work on a full disk. */
  guardRemoval(path: string, work: () => Promise<void>): Promise<void>;
}

export function createRefusals({ error, report }: RefusalParts): Refusals {
  const reported = new Set<string>();

  function of(fault: unknown, path?: string, reason: Reason = 'UNWRITABLE'): unknown {
    const refused = isNamed(fault) ? undefined : fileRefusalOf(fault);
    if (!refused || (path === undefined && !ofDisk.has(refused.code))) return fault;
    const { code, reason: why, advice } = refused;
    const place = path ?? (fault as NodeJS.ErrnoException).path;
    const what = place === undefined ? 'A file' : `'${place}'`;
    const refusal = error(reason, { what, why, advice }, fault);
    const key = ofDisk.has(code) ? code : (place ?? code);
    if (reported.size !== reported.add(key).size) report(refusal);
    return refusal;
  }

  return {
    of,
    async guard(path, work) {
      try {
        const done = await work();
        reported.delete(path);
        for (const code of ofDisk) reported.delete(code);
        return done;
      } catch (fault) {
        throw of(fault, path);
      }
    },
    async guardRemoval(path, work) {
      try {
        await work();
        reported.delete(path);
      } catch (fault) {
        throw of(fault, path);
      }
    },
  };
}

/** Returns whether the error already has a storage error code. */
function isNamed(fault: unknown): boolean {
  return codeOf(fault)?.includes('_ERR_') === true;
}
