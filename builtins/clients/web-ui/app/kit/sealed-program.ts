// A program of the page that runs in a frame of its own, without an origin and without the network. What it answers is material, and nothing of the page.

export interface SealedProgram {
  /** One after the other. Rejects where it does not come, or answers nothing in time; then the next one is asked of a new frame. */
  ask(task: unknown): Promise<unknown>;
}

const maxMs = 15_000;

/** Where it stands: beside the page, wherever that is served from. */
export const sealedAddress = (name: string): string => new URL(`./sealed-${name}.html`, document.baseURI).href;

/** @param name of a file in a folder `sealed` */
export function createSealedProgram(name: string): SealedProgram {
  let frame: Promise<HTMLIFrameElement> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let lastId = 0;

  async function ask(task: unknown): Promise<unknown> {
    const opened = await (frame ??= openFrame(name));
    const id = ++lastId;
    try {
      const answered = hear(opened, (data) => data.id === id);
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
  const ready = hear(frame, ({ isReady }) => isReady === true);
  document.body.append(frame);
  try {
    await ready;
  } catch (fault) {
    frame.remove();
    throw fault;
  }
  return frame;
}

interface Heard {
  readonly id?: number;
  readonly isReady?: boolean;
  readonly answer?: unknown;
}

/** The first thing that it says and that is wanted. */
function hear(frame: HTMLIFrameElement, isWanted: (data: Heard) => boolean): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      removeEventListener('message', onMessage);
      clearTimeout(timer);
      settle();
    };
    const onMessage = ({ data, source }: MessageEvent<Heard | undefined>): void => {
      if (source === frame.contentWindow && data && isWanted(data)) end(() => resolve(data));
    };
    const timer = setTimeout(() => end(() => reject(new Error('it takes too long'))), maxMs);
    addEventListener('message', onMessage);
  });
}
