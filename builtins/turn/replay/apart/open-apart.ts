// Has a turn played in a process of its own, which is this program in a home folder made for it: it reads what is here, writes only there, and reaches nobody.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import type { Services } from 'agent-harness/kernel';
import { withLimit } from 'agent-harness/lib/async';
import { codeOf, messageOf } from 'agent-harness/lib/errors';
import { textEnd } from 'agent-harness/lib/text';
import { threadFile } from 'agent-harness/lib/worker';
import type { ModelReply, ModelRequest } from 'agent-harness/plugins/models';
import type { ApartHome } from './apart-home.ts';
import type { ApartPlayed, ApartTask, ToApart, ToServer } from './apart-types.ts';

export interface ApartRun {
  readonly services: Pick<Services, 'kernel' | 'models' | 'product'>;
  readonly home: ApartHome;
  /** Variable → text that is another one. */
  readonly settings: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  ask?(request: ModelRequest): Promise<ModelReply>;
}

/** Milliseconds, without what a model takes. */
const longestMs = 60_000;
/** Characters of what it printed. */
const mostSaid = 2_000;

/** Rejects with a sentence where it could not be played, and with the reason of the signal. The process is gone when it settles. */
export async function playInApart(task: ApartTask, { services, home, settings, signal, ask }: ApartRun): Promise<ApartPlayed> {
  signal.throwIfAborted();
  const child = startApart(services, home, settings);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (said = textEnd(said + text, mostSaid)));
  const stop = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  const send = (message: ToApart): void => void (child.connected && child.send(message, () => undefined));
  const played = new Promise<ApartPlayed>((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`The turn could not be played apart: ${why}`));
    child.on('message', (message: ToServer) => {
      if ('ready' in message) send({ task });
      else if ('played' in message) resolve(message.played);
      else if ('fault' in message) fail(message.fault);
      else
        ask?.(message.request).then(
          (reply) => send({ answers: message.ask, reply }),
          (fault: unknown) =>
            send({ answers: message.ask, fault: { message: messageOf(fault), ...(codeOf(fault) === undefined ? {} : { code: codeOf(fault)! }) } }),
        );
    });
    child.once('error', (fault) => fail(fault.message));
    child.once('exit', (code, by) => (signal.aborted ? reject(signal.reason as Error) : fail(`its process ended with ${by ?? code}. ${said.trim()}`)));
  });
  try {
    return await (ask
      ? played
      : withLimit(played, longestMs, () => Promise.reject(new Error(`The turn could not be played apart within ${longestMs / 1_000} s. ${said.trim()}`))));
  } finally {
    signal.removeEventListener('abort', stop);
    await end(child);
  }
}

function startApart({ kernel, models, product }: ApartRun['services'], home: ApartHome, settings: Readonly<Record<string, string>>): ChildProcess {
  const [program = ''] = process.argv.slice(1);
  const permission = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
  const flags = [permission, '--no-warnings', '--allow-fs-read=*', `--allow-fs-write=${home.path}`, '--allow-worker', '--allow-child-process'];
  const addons = process.allowedNodeEnvironmentFlags.has('--allow-addons') ? ['--allow-addons'] : [];
  const first = ['--import', threadFile('replay-walls').href];
  // As they are now, without what is secret; where this one listens, keeps files and finds plugins is its own affair.
  const set = kernel
    .fields()
    .flatMap(({ key, source, value }): [string, string][] =>
      source === 'default' || value === undefined ? [] : [[key, String(value as boolean | number | string)]],
    );
  // Plugins ask a model only where there is one; here nobody does.
  const { wire, baseURL } = models.route();
  const env = {
    ...Object.fromEntries(set),
    ...(wire === 'demo' ? {} : { AGENT_API_BASE_URL: baseURL, AGENT_API_KEY: 'no-key-is-here' }),
    ...settings,
    AGENT_PLUGIN_DIR: '',
    PATH: process.env['PATH'] ?? '',
    ...{ HOME: home.path, TMPDIR: home.path, [`${product.name.toUpperCase()}_HOME`]: home.path },
  };
  return spawn(process.execPath, [...flags, ...addons, ...first, realProgram(program), 'replay', '--apart'], {
    env,
    cwd: home.path,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

/** A command in PATH is a link. */
function realProgram(program: string): string {
  return existsSync(program) ? realpathSync(program) : program;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
