// Runs a sandboxed program in a hidden frame without an origin or network access. Its answers are untrusted data.

export interface SealedProgram {
  /** Runs tasks one after the other. Rejects if the frame does not load or does not answer in time; the next task then uses a new frame. */
  ask(task: unknown): Promise<unknown>;
}

const maxMs = 15_000;

/** Address of the program, relative to the page. */
export const sealedAddress = (name: string): string => new URL(`./sealed-${name}.html`, document.baseURI).href;

/** @param name name of a file in a folder `sealed` */
export function createSealedProgram(name: string): SealedProgram {
  let frame: Promise<HTMLIFrameElement> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let lastId = 0;

  async function ask(task: unknown): Promise<unknown> {
    const opened = await (frame ??= openFrame(name));
    const id = ++lastId;
    try {
      const answered = receive(opened, (data) => data.id === id);
      opened.contentWindow?.postMessage({ id, task }, '*');
      return (await answered).answer;
    } catch (fault) {
      opened.remove();
      frame = undefined;
      throw fault;
    }
  }

  return {
    ask(task) {
      const answer = last.then(() => ask(task));
      last = answer.catch(() => (frame = undefined));
      return answer;
    },
  };
}

async function openFrame(name: string): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe');
  frame.className = 'sealed-program';
  frame.title = name;
  frame.tabIndex = -1;
  frame.ariaHidden = 'true';
  frame.referrerPolicy = 'no-referrer';
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.src = sealedAddress(name);
  const ready = receive(frame, ({ isReady }) => isReady === true);
  document.body.append(frame);
  try {
    await ready;
  } catch (fault) {
    frame.remove();
    throw fault;
  }
  return frame;
}

interface ProgramMessage {
  readonly id?: number;
  readonly isReady?: boolean;
  readonly answer?: unknown;
}

/** Resolves with the first matching message. */
function receive(frame: HTMLIFrameElement, isWanted: (data: ProgramMessage) => boolean): Promise<ProgramMessage> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      removeEventListener('message', onMessage);
      clearTimeout(timer);
      settle();
    };
    const onMessage = ({ data, source }: MessageEvent<ProgramMessage | undefined>): void => {
      if (source === frame.contentWindow && data && isWanted(data)) end(() => resolve(data));
    };
    const timer = setTimeout(() => end(() => reject(new Error('the time limit was exceeded'))), maxMs);
    addEventListener('message', onMessage);
  });
}
