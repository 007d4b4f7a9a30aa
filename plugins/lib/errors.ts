// What a thrown value says: its sentence, its code, the error it is. Runs in browsers, too.

/** A sentence for any thrown value; never empty for an error, and never throws. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown && typeof thrown.message === 'string') return thrown.message;
  try {
    const text = String(thrown);
    return text === '[object Object]' ? JSON.stringify(thrown) : text;
  } catch {
    return 'it threw something that cannot be shown'; // an object without a text
  }
}

/** Its sentence, and after it what to do about it where its details say that (`advice`). */
export function sentencesOf(thrown: unknown): string {
  const message = messageOf(thrown);
  const details = typeof thrown === 'object' && thrown !== null && 'details' in thrown ? thrown.details : undefined;
  const advice = typeof details === 'object' && details !== null && 'advice' in details ? details.advice : undefined;
  return typeof advice === 'string' && advice !== '' ? `${message}${/[.!?…]$/.test(message) ? '' : '.'} ${advice}` : message;
}

/** The error itself, or one that says what was thrown in its place. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(messageOf(thrown), { cause: thrown });
}

/** Where it was thrown, for logs; the sentence of what has no stack. */
export function stackOf(thrown: unknown): string {
  return (thrown instanceof Error ? thrown.stack : undefined) ?? messageOf(thrown);
}

/** The code of a thrown value (`ENOENT`, `not_found`, …); `undefined` where it has none. */
export function codeOf(thrown: unknown): string | undefined {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Whether a thrown value has one of these codes. */
export function hasCode(thrown: unknown, ...codes: readonly string[]): boolean {
  const code = codeOf(thrown);
  return code !== undefined && codes.includes(code);
}

/** Whether there is no such file. */
export function isMissing(thrown: unknown): boolean {
  return hasCode(thrown, 'ENOENT');
}

/** An error for whoever asked, who can do something else: its message is a whole sentence for them. Not for a mistake in code. */
export interface Failure extends Error {
  readonly isForCaller: true;
  /** What to do instead. */
  readonly hint?: string | undefined;
  /** It quotes other people's text. */
  readonly isUntrusted?: boolean;
}

export function failure(message: string, hint?: string): Failure {
  return Object.assign(new Error(message), { isForCaller: true as const, hint });
}

export function isFailure(thrown: unknown): thrown is Failure {
  return thrown instanceof Error && 'isForCaller' in thrown;
}

/** What a file system refuses, by the system's code: why, and what helps. */
const refusals: Readonly<Record<string, readonly [reason: string, advice?: string]>> = {
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

export interface FileRefusal {
  /** The system's: `ENOSPC`. */
  readonly code: string;
  /** For the end of a sentence: `the disk is full`. */
  readonly reason: string;
  /** What helps, as a sentence. */
  readonly advice: string;
}

/** What a file system refused, also where a plugin's error was made of that; `undefined` for any other fault. */
export function fileRefusalOf(thrown: unknown): FileRefusal | undefined {
  const named = codeOf(thrown);
  if (!(thrown instanceof Error) || named === undefined) return undefined;
  const code = /^(?:ERR_FS_)?(E[A-Z0-9]+)$/.exec(named)?.[1];
  if (code === undefined) return named.includes('_ERR_') ? fileRefusalOf(thrown.cause) : undefined;
  const [reason = `the system answers ${code}`, advice = 'Look what is the matter there, and try again.'] = refusals[code] ?? [];
  return { code, reason, advice };
}

/** A failure in words where a file system refused; any other fault as it is. @param shown the path as the caller knows it */
export function explainFault(thrown: unknown, shown: string): unknown {
  const refusal = isFailure(thrown) ? undefined : fileRefusalOf(thrown);
  return refusal ? failure(`${shown}: ${refusal.reason}.`) : thrown;
}
