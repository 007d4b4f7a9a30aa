// Standard input and output as the commands see them.
import { fstatSync } from 'node:fs';
import type { Interface } from 'node:readline';
import type { CliOutput } from 'agent-harness/plugins/commands';

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

/** Leaving the loop closes the reader, which readline's own iterator does not do; an open one would keep the process alive. */
function readStandardInput(): AsyncIterable<string> {
  let opened: Promise<Interface> | undefined;
  let lines: AsyncIterator<string> | undefined;
  const open = async (): Promise<Interface> => (await import('node:readline')).createInterface({ input: process.stdin, crlfDelay: Infinity });
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        // A reader that comes after the end waits for another one.
        if (!opened && process.stdin.readableEnded) return { done: true, value: undefined };
        return (lines ??= (await (opened ??= open()))[Symbol.asyncIterator]()).next();
      },
      return: async () => {
        (await opened)?.close();
        return { done: true, value: undefined };
      },
    }),
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
