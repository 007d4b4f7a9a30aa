// Implements standard input and output for CLI commands.
import { closeSync, fstatSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { ClaimedOutput, CliOutput } from 'agent-harness/plugins/commands';

/** @param onGone called when standard output was closed (`| head`); further output is dropped, and the command should end */
export function terminalOutput(onGone: () => void): CliOutput {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (fault: NodeJS.ErrnoException) => {
      if (fault.code === 'EIO') return closeTerminalAtExit();
      if (fault.code !== 'EPIPE') throw fault;
      if (stream === process.stdout) onGone();
    });
  }
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    lines: readStandardInput,
    claim: claimOutput,
    secret: readSecret,
    isTerminal: process.stdout.isTTY === true,
    // Reading this property opens standard input.
    get isInputTerminal() {
      return process.stdin.isTTY === true;
    },
    get redirectedInput() {
      return redirectionOf(0);
    },
  };
}

/**
 * Handles a terminal that was closed: output is dropped, and the hang-up signal ends the command. Node aborts at exit if it cannot reset a closed terminal, so
 * the descriptors are closed first.
 */
function closeTerminalAtExit(): void {
  process.once('exit', () => {
    for (const descriptor of [0, 1, 2]) {
      try {
        closeSync(descriptor);
      } catch {
        // closed already
      }
    }
  });
}

function redirectionOf(descriptor: number): CliOutput['redirectedInput'] {
  try {
    const stats = fstatSync(descriptor);
    return stats.isSocket() ? 'socket' : stats.isFIFO() || stats.isFile() ? 'pipe' : undefined;
  } catch {
    return undefined; // the descriptor is closed
  }
}

function claimOutput(): ClaimedOutput {
  const { stdout, stderr } = process;
  const write = stdout.write;
  stdout.write = stderr.write.bind(stderr);
  return {
    out: (text) => void write.call(stdout, text),
    release: () => void (stdout.write = write),
  };
}

/**
 * Returns the lines of standard input. Splits only at line feeds, because the other separators of `readline` may occur inside a line of JSON. Leaving the loop
 * releases the input, which would otherwise keep the process alive.
 */
function readStandardInput(): AsyncIterable<string> {
  return { [Symbol.asyncIterator]: openInput };
}

function openInput(): AsyncIterator<string, undefined> {
  const { stdin } = process;
  const decoder = new StringDecoder('utf8');
  const lines: string[] = [];
  let rest: string[] = [];
  let wake = (): void => undefined;
  let fault: Error | undefined;
  // A reader that is created after the input has ended must not wait.
  let isOver = stdin.readableEnded;

  function take(chunk: Buffer | string): void {
    const [first = '', ...more] = (typeof chunk === 'string' ? chunk : decoder.write(chunk)).split('\n');
    rest.push(first);
    for (const next of more) {
      const line = rest.join('');
      rest = [next];
      lines.push(line.endsWith('\r') ? line.slice(0, -1) : line);
    }
    if (lines.length > 0) stdin.pause();
    wake();
  }

  function end(): void {
    const last = rest.join('') + decoder.end();
    if (!isOver && last !== '') lines.push(last);
    close();
  }

  function fail(thrown: Error): void {
    fault = thrown;
    close();
  }

  function close(): void {
    isOver = true;
    stdin.off('data', take).off('end', end).off('close', end).off('error', fail).pause();
    wake();
  }

  if (!isOver) stdin.on('data', take).on('end', end).on('close', end).on('error', fail);
  return {
    async next() {
      while (lines.length === 0 && !isOver) {
        stdin.resume();
        await new Promise<void>((resolve) => (wake = resolve));
      }
      if (lines.length > 0) return { done: false, value: lines.shift() as string };
      if (fault) throw fault;
      return { done: true, value: undefined };
    },
    return() {
      lines.length = 0;
      close();
      return Promise.resolve({ done: true, value: undefined });
    },
  };
}

/** Reads a line without echo. Rejects if the user aborts. */
async function readSecret(): Promise<string | undefined> {
  const { stdin } = process;
  if (!stdin.isTTY) {
    for await (const line of readStandardInput()) return line;
    return undefined;
  }
  const [end, erase, breakOff] = [/[\r\n\u0004]/, /[\b\u007f]/, '\u0003'];
  stdin.setRawMode(true).setEncoding('utf8').resume();
  try {
    let text = '';
    for await (const chunk of stdin.iterator({ destroyOnReturn: false }) as AsyncIterable<string>) {
      for (const sign of chunk) {
        if (sign === breakOff) throw new Error('broken off');
        if (end.test(sign)) return text;
        text = erase.test(sign) ? text.slice(0, -1) : text + sign;
      }
    }
    return text === '' ? undefined : text;
  } finally {
    stdin.setRawMode(false).pause();
  }
}
