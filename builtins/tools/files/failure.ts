// Failures that the model is to see: thrown inside, answered as data.
import type { FaultWords } from 'agent-harness/plugins/storage';
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

/** Says in words what the file system refused; a fault that is no file system's goes on as it is. */
export function explain(fault: unknown, shown: string, words: FaultWords): unknown {
  const reason = isFailure(fault) ? undefined : words.reasonOf(fault);
  return reason === undefined ? fault : failure(`${shown}: ${reason}.`);
}
