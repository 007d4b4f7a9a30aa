// What file systems refuse, in words: the one table of them.
import type { KernelError } from 'agent-harness/kernel';
import { codeOf } from 'agent-harness/lib/errors';

/** By the system's code: why, and what helps. */
const table: Readonly<Record<string, readonly [reason: string, advice?: string]>> = {
  ENOENT: ['it does not exist'],
  EACCES: ['there is no permission for it', 'Give it to the user that this program runs as.'],
  EPERM: ['the system does not allow it', 'Give it to the user that this program runs as.'],
  ELOOP: ['its symbolic links go in a circle'],
  ENAMETOOLONG: ['the path is too long'],
  ENOTDIR: ['a part of the path is a file, not a folder', 'Move that file away.'],
  EISDIR: ['it is a folder', 'Move that folder away.'],
  EEXIST: ['something is in its place', 'Move that away.'],
  ENOSPC: ['the disk is full', 'Free some space on it and try again.'],
  EDQUOT: ['the quota of the disk is used up', 'Free some space on it and try again.'],
  EROFS: ['the file system is read-only', 'Mount it so that it can be written, or use a folder on another one.'],
  EIO: ['the disk answers with an error', 'Look after the disk; it may be failing.'],
  EMFILE: ['too many files are open', 'Try again in a moment.'],
  ENFILE: ['too many files are open', 'Try again in a moment.'],
  EMOVED: ['it was moved or replaced by a link meanwhile, so it was not touched'],
};
/** They say something about the whole disk, whatever was written. */
const ofDisk: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

/** Why a file system refused, for the end of a sentence; also of an error that was made of its refusal. `undefined` for any other fault. */
export function reasonOf(fault: unknown): string | undefined {
  const code = systemCodeOf(fault);
  return code === undefined ? undefined : (table[code]?.[0] ?? `the system answers ${code}`);
}

type Reason = 'UNWRITABLE' | 'UNREADABLE';

export interface RefusalParts {
  readonly error: (reason: Reason, details: Readonly<Record<string, unknown>>, cause: unknown) => KernelError;
  /** Sees each refusal once, until it is over. */
  readonly report: (refusal: KernelError) => void;
}

export interface Refusals {
  /** The error for what was refused; a fault that is no refusal of a file system as it is. Without a path, only what is the same for the whole disk counts. */
  of(fault: unknown, path?: string, reason?: Reason): unknown;
  /** Runs a write; what it rejects with is told like {@link Refusals.of}. */
  guard<T>(path: string, work: () => Promise<T>): Promise<T>;
}

export function createRefusals({ error, report }: RefusalParts): Refusals {
  const told = new Set<string>();

  function of(fault: unknown, path?: string, reason: Reason = 'UNWRITABLE'): unknown {
    const code = isNamed(fault) ? undefined : systemCodeOf(fault);
    if (code === undefined || (path === undefined && !ofDisk.has(code))) return fault;
    const [, advice = 'Look what is the matter there, and try again.'] = table[code] ?? [];
    const place = path ?? (fault as NodeJS.ErrnoException).path;
    const what = place === undefined ? 'A file' : `'${place}'`;
    const refusal = error(reason, { what, why: reasonOf(fault) ?? code, advice }, fault);
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
  };
}

/** It has a code of ours already. */
function isNamed(fault: unknown): boolean {
  return codeOf(fault)?.includes('_ERR_') === true;
}

function systemCodeOf(fault: unknown): string | undefined {
  const code = fault instanceof Error ? (codeOf(fault) ?? '') : '';
  const named = /^(?:ERR_FS_)?(E[A-Z0-9]+)$/.exec(code)?.[1];
  if (named !== undefined) return named;
  return /^STORAGE_ERR_UN(WRIT|READ)ABLE$/.test(code) ? systemCodeOf((fault as Error).cause) : undefined;
}
