// Reads the stack of the program's main thread from another one, while the main thread computes: it is stopped for a moment in the middle of its work.
import type { Session } from 'node:inspector';

export interface Stack {
  /** Address and line of each call, the innermost first; `undefined` until they are known. */
  readonly urls: readonly string[] | undefined;
  /** Nobody can read it, it does not answer, because it waits in a call of the system, or it was met between two pieces of work. */
  isSilent(): boolean;
  /** Contract: always called, or the program waits for its debugger at its end. */
  close(): void;
}

/** The debugger needs about 50 ms to know all scripts. */
const answerMs = 500;

/** @param mayPause otherwise nothing is asked */
export function openStack(mayPause: boolean): Stack {
  const asked = performance.now();
  const scripts = new Map<string, string>();
  let urls: readonly string[] | undefined;
  let session: Session | undefined;
  const close = (): void => {
    session?.disconnect();
    session = undefined;
  };
  try {
    if (mayPause) {
      session = new (process.getBuiltinModule('node:inspector').Session)();
      session.connectToMainThread();
    }
    session?.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => void scripts.set(scriptId, url));
    session?.on('Debugger.paused', ({ params }) => {
      urls = params.callFrames.map(({ location: { scriptId, lineNumber } }) => `${scripts.get(scriptId) ?? ''}:${lineNumber + 1}`);
      session?.post('Debugger.resume');
      session?.post('Debugger.disable', close);
    });
    session?.post('Debugger.enable');
    session?.post('Debugger.pause');
  } catch {
    close();
  }
  return {
    get urls() {
      return urls;
    },
    isSilent() {
      if (urls === undefined) return !mayPause || performance.now() - asked > answerMs;
      // In what counts the pieces, of which there are as many as there are waits.
      return urls.length === 0 || urls.at(-1)?.startsWith('node:internal/async_hooks') === true;
    },
    close,
  };
}
