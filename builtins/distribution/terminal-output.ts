// Standard input and output as the commands see them.
import { fstatSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { ClaimedOutput, CliOutput } from 'agent-harness/plugins/commands';

/** @param onGone nobody reads standard output any more (`| head`): what is still written is dropped, and there is no reason to go on */
export function terminalOutput(onGone: () => void): CliOutput {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (fault: NodeJS.ErrnoException) => {
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
    // To look at standard input opens it.
    get isInputTerminal() {
      return process.stdin.isTTY === true;
    },
    get isInputPiped() {
      return isPipeOrFile(0);
    },
  };
}

/** A socket is what other programs give their children whether they write into it or not. */
function isPipeOrFile(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFIFO() || stats.isFile();
  } catch {
    return false; // it was closed
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
 * Lines end with a line feed and nothing else: what `readline` takes for an end, too, may stand inside a line of JSON. Leaving the loop lets
 * go of the input; an open one would keep the process alive.
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
  // A reader that comes after the end waits for another one.
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

/** Rejects when the person breaks off. */
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
