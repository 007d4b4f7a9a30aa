// What a client sends over a WebSocket, handed on no faster than it is worked on: beyond that the client waits, and nothing is gathered here.

export interface IntakeParts {
  readonly maxAtOnce: number;
  /** Of messages that were taken and are not done. */
  readonly maxBytes: number;
  /** The client reads too slowly, so its requests wait, too. */
  readonly isStalled: () => boolean;
  /** Contract: never rejects. */
  readonly handle: (content: string | Buffer) => Promise<void>;
  /** Whether anything further is read from the client. */
  readonly setReading: (isReading: boolean) => void;
}

export interface Intake {
  add(content: string | Buffer): void;
  /** Looks again whether something may go on. */
  look(): void;
  /** Lets go what waits. */
  end(): void;
}

export function createIntake({ maxAtOnce, maxBytes, isStalled, handle, setReading }: IntakeParts): Intake {
  let waiting: (string | Buffer)[] = [];
  let atWork = 0;
  let bytes = 0;
  let isReading = true;

  async function work(content: string | Buffer): Promise<void> {
    atWork++;
    await handle(content);
    atWork--;
    bytes -= content.length;
    look();
  }

  function look(): void {
    while (waiting.length > 0 && atWork < maxAtOnce && !isStalled()) void work(waiting.shift() ?? '');
    // What is read in one go may hold many messages, so some wait for a moment whatever is done here.
    const isRoom = waiting.length === 0 && atWork < maxAtOnce && bytes < maxBytes && !isStalled();
    if (isRoom !== isReading) setReading((isReading = isRoom));
  }

  return {
    add(content) {
      bytes += content.length;
      waiting.push(content);
      look();
    },
    look,
    end() {
      waiting = [];
    },
  };
}
