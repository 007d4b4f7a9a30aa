// Failures that the model is to see: thrown inside, answered as data.
import type { RunTool, ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';

interface Failure extends Error {
  readonly hint?: string;
  readonly isForModel: true;
}

/** An error whose message and hint are meant for the model. */
export function failure(message: string, hint?: string): Error {
  const fields: Pick<Failure, 'isForModel' | 'hint'> = { isForModel: true, ...(hint === undefined ? {} : { hint }) };
  return Object.assign(new Error(message), fields);
}

export function isFailure(fault: unknown): fault is Failure {
  return fault instanceof Error && 'isForModel' in fault;
}

/** Turns what a tool throws into an outcome; an abort and a mistake of ours go on as they are. */
export function answering<A>(run: (args: A, context: ToolContext) => Promise<ToolOutcome>): RunTool {
  return async (args: never, context) => {
    try {
      return await run(args, context);
    } catch (fault) {
      if (isFailure(fault)) return { ok: false, error: fault.message, ...(fault.hint === undefined ? {} : { hint: fault.hint }) };
      throw fault;
    }
  };
}

const sentences: Readonly<Record<string, string>> = {
  EACCES: 'there is no permission for it',
  EPERM: 'the system does not allow it',
  ELOOP: 'its symbolic links go in a circle, or it became one meanwhile',
  ENAMETOOLONG: 'the path is too long',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many files are open',
  EEXIST: 'something is in its place',
  EMOVED: 'it was moved or replaced by a link meanwhile, so it was not touched',
};

export function codeOf(fault: unknown): string | undefined {
  return fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined;
}

/** Says in words what the file system refused; a fault that is no file system's goes on as it is. */
export function explain(fault: unknown, shown: string): unknown {
  const code = codeOf(fault);
  if (code === undefined || !/^E[A-Z0-9]+$/.test(code) || isFailure(fault)) return fault;
  return failure(`${shown}: ${sentences[code] ?? `the system answers ${code}`}.`);
}
