// What file systems refuse to the storage: an error with a code, told once.
import type { KernelError } from 'agent-harness/kernel';
import { codeOf, fileRefusalOf } from 'agent-harness/lib/errors';

/** They say something about the whole disk, whatever was written. */
const ofDisk: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

type Reason = 'UNWRITABLE' | 'UNREADABLE';

export interface RefusalParts {
  readonly error: (reason: Reason, details: Readonly<Record<string, unknown>>, cause: unknown) => KernelError;
  /** Sees each refusal once, until it is over. */
  readonly report: (refusal: KernelError) => void;
}

export interface Refusals {
  /** The error for what was refused; a fault that is no refusal of a file system as it is. Without a path, only what is the same for the whole disk counts. */
  of(fault: unknown, path?: string, reason?: Reason): unknown;
  /** Runs a write; what it rejects with is told like {@link Refusals.of}. One that worked ends what was refused. */
  guard<T>(path: string, work: () => Promise<T>): Promise<T>;
  /** Runs a removal, which works on a full disk, too, and so ends nothing of it. */
  guardRemoval(path: string, work: () => Promise<void>): Promise<void>;
}

export function createRefusals({ error, report }: RefusalParts): Refusals {
  const told = new Set<string>();

  function of(fault: unknown, path?: string, reason: Reason = 'UNWRITABLE'): unknown {
    const refused = isNamed(fault) ? undefined : fileRefusalOf(fault);
    if (!refused || (path === undefined && !ofDisk.has(refused.code))) return fault;
    const { code, reason: why, advice } = refused;
    const place = path ?? (fault as NodeJS.ErrnoException).path;
    const what = place === undefined ? 'A file' : `'${place}'`;
    const refusal = error(reason, { what, why, advice }, fault);
    const key = ofDisk.has(code) ? code : (place ?? code);
    if (told.size !== told.add(key).size) report(refusal);
    return refusal;
  }

  return {
    of,
    async guard(path, work) {
      try {
        const done = await work();
        told.delete(path);
        for (const code of ofDisk) told.delete(code);
        return done;
      } catch (fault) {
        throw of(fault, path);
      }
    },
    async guardRemoval(path, work) {
      try {
        await work();
        told.delete(path);
      } catch (fault) {
        throw of(fault, path);
      }
    },
  };
}

/** It has a code of ours already. */
function isNamed(fault: unknown): boolean {
  return codeOf(fault)?.includes('_ERR_') === true;
}
