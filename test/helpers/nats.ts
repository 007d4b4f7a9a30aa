// Starts a real `nats-server` on a loopback port, where it can be killed and restarted.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { freePort } from './free-port.ts';

export interface NatsServer {
  readonly url: string;
  kill(): Promise<void>;
  /** Starts the server on the same port. Resolves when it accepts connections. */
  start(): Promise<void>;
}

/** Returns the path of the program; `undefined` if it is not installed. */
export function findNatsServer(): string | undefined {
  const folders = ['/usr/sbin', ...(process.env['PATH'] ?? '').split(':')];
  return folders.map((folder) => `${folder}/nats-server`).find((path) => existsSync(path));
}

/** Starts a server. The caller kills it; it also ends with this process. */
export async function startNatsServer(): Promise<NatsServer> {
  const program = findNatsServer();
  if (program === undefined) throw new Error('nats-server is not installed');
  const port = await freePort();
  let child: ChildProcess | undefined;
  const onExit = (): void => void child?.kill('SIGKILL');
  process.once('exit', onExit);
  const server: NatsServer = {
    url: `nats://127.0.0.1:${port}`,
    async kill() {
      process.removeListener('exit', onExit);
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
    async start() {
      child = spawn(program, ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
      process.once('exit', onExit);
      while (!(await takesConnections(port))) await new Promise((resolve) => setTimeout(resolve, 20));
    },
  };
  await server.start();
  return server;
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (isOpen: boolean) => (): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', answer(true)).once('error', answer(false));
  });
}
