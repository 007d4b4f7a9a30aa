// Implements the transport to a server in a child process: a separate process group, one JSON message per line, and termination when its owner ends.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Processes } from 'agent-harness/plugins/processes';
import { endGroup, hasGroups } from './end-group.ts';
import { cutText } from '../server/foreign-text.ts';
import { createLineSplitter } from './line-splitter.ts';
import { keptErrorBytes, largestMessage } from '../limits.ts';
import { serverEnvironment } from './server-environment.ts';
import type { CommandSpec } from '../saved/server-spec.ts';

export interface CommandTransport extends Transport {
  /** Returns the reason why the process ended, with its last output on standard error. */
  lastWords(): string;
  /** Ends the process immediately with that reason. */
  fail(reason: string): void;
}

export function createCommandTransport(spec: CommandSpec, processes: Processes): CommandTransport {
  const mark = processes.createMark();
  const errors = keepLast(keptErrorBytes);
  let child: ChildProcess | undefined;
  let why = '';
  let ending: Promise<void> | undefined;
  let isClosed = false;

  function finish(reason: string): void {
    if (why === '') why = reason;
    if (isClosed) return;
    isClosed = true;
    transport.onclose?.();
  }

  function end(): Promise<void> {
    // Also ends processes that left the process group; a marker in their environment identifies them.
    ending ??= child ? endGroup(child).then(async () => void (await processes.end(mark))) : Promise.resolve();
    return ending;
  }

  function receive(line: string): void {
    if (line.trim() === '' || isClosed) return;
    let message: JSONRPCMessage;
    try {
      message = JSONRPCMessageSchema.parse(JSON.parse(line));
    } catch {
      transport.onerror?.(new Error(`invalid message: ${cutText(line, 200)}`));
      return;
    }
    transport.onmessage?.(message);
  }

  function fail(reason: string): void {
    why = reason;
    void end();
    finish(reason);
  }

  const transport: CommandTransport = {
    fail,
    lastWords: () => [why, errors.text()].filter((part) => part !== '').join('\nOutput: '),
    start() {
      const started = spawn(spec.command, [...spec.args], {
        cwd: spec.cwd ?? homedir(),
        env: { ...serverEnvironment(process.env, spec.env), ...mark.environment },
        detached: hasGroups,
        stdio: ['pipe', 'pipe', 'pipe'],
        windowsHide: true,
      });
      child = started;
      const splitter = createLineSplitter(largestMessage, receive, () => fail(`it sent a message of more than ${largestMessage / 1024 / 1024} MB`));
      started.stdout.on('data', splitter);
      started.stderr.on('data', errors.add);
      started.stdin.on('error', () => undefined); // the `exit` event reports the end of the child
      started.once('exit', (code, signal) => {
        // Child processes must not outlive the server.
        void end();
        finish(`it ended ${signal === null ? `with exit code ${code}` : `by ${signal}`}`);
      });
      return new Promise((resolve, reject) => {
        started.once('spawn', resolve);
        started.once('error', (fault) => {
          finish(whyNotStarted(spec, fault));
          reject(new Error(whyNotStarted(spec, fault)));
        });
      });
    },
    send(message) {
      const input = child?.stdin;
      if (!input || isClosed || !input.writable) return Promise.reject(new Error(`it disconnected: ${why || 'not started'}`));
      return new Promise((resolve, reject) => input.write(`${JSON.stringify(message)}\n`, (fault) => (fault ? reject(fault) : resolve())));
    },
    async close() {
      await end();
      finish('it was closed');
    },
  };
  return transport;
}

function whyNotStarted({ command, cwd }: CommandSpec, fault: NodeJS.ErrnoException): string {
  // Node reports the same code for a missing working folder.
  if (fault.code === 'ENOENT' && cwd !== undefined && !existsSync(cwd)) return `the working folder '${cwd}' does not exist`;
  if (fault.code === 'ENOENT') return `the program '${command}' was not found; give its path, or install it`;
  if (fault.code === 'EACCES') return `'${command}' is not executable`;
  return `'${command}' cannot be started: ${fault.message}`;
}

function keepLast(bytes: number): { add(this: void, chunk: Buffer): void; text(): string } {
  let kept = Buffer.alloc(0);
  return {
    add(chunk) {
      kept = Buffer.concat([kept, chunk.subarray(-bytes)]).subarray(-bytes);
    },
    text: () => cutText(kept.toString('utf8').trim(), bytes),
  };
}
