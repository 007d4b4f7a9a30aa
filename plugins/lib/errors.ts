// Extracts the message and the code of a thrown value, and describes file-system errors. Also runs in browsers.

/** Returns a sentence for any thrown value. Never empty for an error; never throws. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown && typeof thrown.message === 'string') return thrown.message;
  try {
    const text = String(thrown);
    return text === '[object Object]' ? JSON.stringify(thrown) : text;
  } catch {
    return 'an object without a text form was thrown';
  }
}

/** Returns the message of the error as a sentence, followed by the action in `details.advice`, if there is one. */
export function sentencesOf(thrown: unknown): string {
  const message = messageOf(thrown);
  const details = typeof thrown === 'object' && thrown !== null && 'details' in thrown ? thrown.details : undefined;
  const advice = typeof details === 'object' && details !== null && 'advice' in details ? details.advice : undefined;
  return typeof advice === 'string' && advice !== '' ? `${message}${/[.!?…]$/.test(message) ? '' : '.'} ${advice}` : message;
}

/** Returns the error itself, or a new one that describes the thrown value. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(messageOf(thrown), { cause: thrown });
}

/** Returns the stack for logs; if there is none, the message of the error. */
export function stackOf(thrown: unknown): string {
  return (thrown instanceof Error ? thrown.stack : undefined) ?? messageOf(thrown);
}

/** Returns the code of a thrown value (`ENOENT`, `not_found`, and so on); `undefined` if it has no code. */
export function codeOf(thrown: unknown): string | undefined {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Returns whether a thrown value has one of these codes. */
export function hasCode(thrown: unknown, ...codes: readonly string[]): boolean {
  const code = codeOf(thrown);
  return code !== undefined && codes.includes(code);
}

/** Returns whether the error means that the file does not exist. */
export function isMissing(thrown: unknown): boolean {
  return hasCode(thrown, 'ENOENT');
}

/** An error that the caller can handle; its message is a complete sentence for the caller. Not for programming errors. */
export interface Failure extends Error {
  readonly isForCaller: true;
  /** Alternative action for the caller, as a sentence. */
  readonly hint?: string | undefined;
  /** Whether the message quotes external content. */
  readonly isUntrusted?: boolean;
}

/** Creates an error for the caller. @param message a complete sentence @param hint alternative action, as a sentence */
export function failure(message: string, hint?: string): Failure {
  return Object.assign(new Error(message), { isForCaller: true as const, hint });
}

/** Returns whether a thrown value was created by {@link failure}. */
export function isFailure(thrown: unknown): thrown is Failure {
  return thrown instanceof Error && 'isForCaller' in thrown;
}

/** File-system errors by system code, with reason and advice. */
const refusals: Readonly<Record<string, readonly [reason: string, advice?: string]>> = {
  ENOENT: ['it does not exist'],
  EACCES: ['permission denied', 'Grant access to the user that runs this program.'],
  EPERM: ['the system does not permit the operation', 'Grant access to the user that runs this program.'],
  ELOOP: ['its symbolic links form a loop'],
  ENAMETOOLONG: ['the path is too long'],
  ENOTDIR: ['a part of the path is a file, not a folder', 'Move or rename that file.'],
  EISDIR: ['it is a folder', 'Move or rename that folder.'],
  EEXIST: ['the path already exists', 'Move or rename the existing file or folder.'],
  ENOSPC: ['the disk is full', 'Free some space and try again.'],
  EDQUOT: ['the disk quota is exceeded', 'Free some space and try again.'],
  EROFS: ['the file system is read-only', 'Mount it with write access, or use a folder on another file system.'],
  EIO: ['the disk reports an error', 'Check the disk; it may be failing.'],
  EMFILE: ['too many files are open', 'Try again in a moment.'],
  ENFILE: ['too many files are open', 'Try again in a moment.'],
  EMOVED: ['it was moved or replaced by a link in the meantime, so it was not changed'],
};

export interface FileRefusal {
  /** System code: `ENOSPC`. */
  readonly code: string;
  /** Reason that completes a sentence: `the disk is full`. */
  readonly reason: string;
  /** Advice for the user, as a sentence. */
  readonly advice: string;
}

/** Describes a file-system error, including one that a plugin's error wraps; returns `undefined` for any other error. */
export function fileRefusalOf(thrown: unknown): FileRefusal | undefined {
  const named = codeOf(thrown);
  if (!(thrown instanceof Error) || named === undefined) return undefined;
  const code = /^(?:ERR_FS_)?(E[A-Z0-9]+)$/.exec(named)?.[1];
  if (code === undefined) return named.includes('_ERR_') ? fileRefusalOf(thrown.cause) : undefined;
  const [reason = `the system reports ${code}`, advice = 'Check the file and its folder, and try again.'] = refusals[code] ?? [];
  return { code, reason, advice };
}

/** Returns a reason that completes a sentence: a readable reason for a file-system error, otherwise the message. */
export function faultReason(thrown: unknown): string {
  return (isFailure(thrown) ? undefined : fileRefusalOf(thrown)?.reason) ?? messageOf(thrown);
}

/**
 * Converts a file-system error to a failure with a readable message; returns any other error unchanged.
 * @param shown path to display in the message
 */
export function explainFault(thrown: unknown, shown: string): unknown {
  const refusal = isFailure(thrown) ? undefined : fileRefusalOf(thrown);
  return refusal ? failure(`${shown}: ${refusal.reason}.`) : thrown;
}
