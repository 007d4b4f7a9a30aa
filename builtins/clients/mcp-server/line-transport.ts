// Implements the MCP transport on standard input and output: reads requests line by line, and writes nothing but replies.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { errorOf } from '#lib/errors';
import type { CliOutput } from 'agent-harness/plugins/commands';

/** Maximum length of a message, in characters. */
const longestLine = 10 * 1024 * 1024;

/** Closes when the input ends. */
export function createLineTransport(output: Pick<CliOutput, 'lines' | 'out'>): Transport {
  let isClosed = false;
  let input: AsyncIterator<string> | undefined;

  async function read(): Promise<void> {
    input = output.lines()[Symbol.asyncIterator]();
    for (let line = await input.next(); line.done !== true && !isClosed; line = await input.next()) take(line.value);
    close();
  }

  function take(line: string): void {
    if (line.trim() === '') return;
    let message: JSONRPCMessage;
    try {
      if (line.length > longestLine) throw new Error('too long');
      message = JSONRPCMessageSchema.parse(JSON.parse(line));
    } catch {
      send({ jsonrpc: '2.0', error: { code: -32700, message: 'This line is not a valid message.' } });
      return;
    }
    transport.onmessage?.(message);
  }

  function send(message: object): void {
    if (!isClosed) output.out(`${JSON.stringify(message)}\n`);
  }

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    transport.onclose?.();
  }

  const transport: Transport = {
    start() {
      read().catch((fault: unknown) => {
        transport.onerror?.(errorOf(fault));
        close();
      });
      return Promise.resolve();
    },
    send: (message) => Promise.resolve(send(message)),
    async close() {
      close();
      void input?.return?.();
    },
  };
  return transport;
}
