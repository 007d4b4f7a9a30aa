// Collects the output of a program within size limits.
import { runProgram, type ProgramParts } from '../run-program.ts';

export interface OutputLimits {
  readonly ms: number;
  readonly maxBytes: number;
}

/** Returns the output of a program. Rejects in the same cases as `runProgram`, and if the time or size limit is exceeded. */
export async function outputOf(
  path: string,
  args: readonly string[],
  { ms, maxBytes }: OutputLimits,
  parts: ProgramParts,
  signal: AbortSignal,
): Promise<string> {
  const failed = (why: string): Error => parts.makeError('PROGRAM_FAILED', { program: path, why });
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(failed(`it did not end within ${Math.round(ms / 1000)} s`)), ms);
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of runProgram({ path, args, input: '' }, parts, AbortSignal.any([signal, late.signal]))) {
      size += piece.length;
      if (size > maxBytes) throw failed(`it wrote more than ${maxBytes} bytes`);
      pieces.push(piece);
    }
    return Buffer.concat(pieces).toString('utf8');
  } finally {
    clearTimeout(timer);
  }
}
