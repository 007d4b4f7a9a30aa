// Starts the browser for the window: sandboxed, with its own profile, and controlled only through pipes.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { withLimit } from '#lib/async';
import { sandboxFault } from '#lib/chromium';
import { messageOf } from '#lib/errors';
import { endProcessesOf } from '#lib/folder-processes';
import { escapeHtml, oneLine, textEnd } from '#lib/text';
import { createCdpPipe, type CdpPipe } from './cdp-pipe.ts';
import { relevantMessages } from './browser-messages.ts';
import { placementFlags } from './placement.ts';

export interface LaunchRequest {
  readonly program: string;
  /** Absolute path of the folder for the profile. */
  readonly folder: string;
  /** The only host that the browser resolves. */
  readonly host: string;
  /** Title of the initial empty page. */
  readonly title: string;
  /** Window class, by which the desktop identifies the window. */
  readonly className: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  warn(message: string): void;
}

export interface Launched {
  readonly pipe: CdpPipe;
  readonly pid: number;
  /** Resolves when all browser processes have ended. */
  readonly ended: Promise<void>;
  /** Requests the browser to exit, and kills it if it keeps running. */
  close(): Promise<void>;
}

const startMs = 30_000;
const closeMs = 1_200;

/** Whether the browser can run with its sandbox; Chromium refuses to start as root with the sandbox enabled. */
export const hasSandbox = process.getuid?.() !== 0;

const featuresOff = [
  ...['Translate', 'MediaRouter', 'OptimizationHints', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'NetworkTimeServiceQuerying'],
  ...['DestroyProfileOnBrowserClose', 'msForceBrowserSignIn', 'msEdgeUpdateLaunchServicesPreferredVersion'],
  // Keeps rendering windows that are covered, because mirrored screens show them.
  'CalculateNativeWinOcclusion',
];

/** Returns the address of an empty page in the desktop's colour scheme. A data URL, so that the browser can start together with the server. */
const emptyPage = (title: string): string =>
  `data:text/html,${encodeURIComponent(`<meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title>`)}`;

async function flagsFor({ folder, title, className, host, flags = [] }: LaunchRequest): Promise<string[]> {
  const profile = join(folder, 'profile');
  return [
    `--user-data-dir=${profile}`,
    `--app=${emptyPage(title)}`,
    '--remote-debugging-pipe',
    `--class=${className}`,
    ...(await placementFlags(profile)),
    // The test mode hides the browser's warning about the missing sandbox; the terminal shows it instead.
    ...(hasSandbox ? [] : ['--no-sandbox', '--test-type']),
    `--disable-features=${featuresOff.join()}`,
    ...['--no-first-run', '--no-default-browser-check', '--disable-search-engine-choice-screen', '--hide-crash-restore-bubble'],
    ...['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-extensions', '--disable-default-apps'],
    ...['--disable-breakpad', '--disable-crash-reporter', '--no-pings', '--disable-quic', '--dns-prefetch-disable', '--disable-domain-reliability'],
    // Only the host of this server can be resolved; other pages open in the user's own browser.
    `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${host}`,
    ...['--no-proxy-server', '--force-webrtc-ip-handling-policy=disable_non_proxied_udp'],
    // Allows speech output without a click, and stores no passwords.
    ...['--autoplay-policy=no-user-gesture-required', '--password-store=basic', '--use-mock-keychain'],
    ...(process.platform === 'linux' ? ['--ozone-platform-hint=auto'] : []),
    ...flags,
  ];
}

/** Starts the browser. Rejects with the reason why the browser does not start, phrased as the end of a sentence. */
export async function launchWindow(request: LaunchRequest): Promise<Launched> {
  await mkdir(request.folder, { recursive: true, mode: 0o700 });
  await freeProfile(request.folder);
  const child = spawn(request.program, await flagsFor(request), {
    // Separate process group, so that Ctrl+C in the terminal reaches only the server, which then closes the window.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...request.environment },
  });
  let words = '';
  child.stderr?.on('data', (chunk: Buffer) => (words = textEnd(words + chunk.toString('utf8'), 4_000)));
  const pipe = createCdpPipe(child.stdio[3] as Writable, child.stdio[4] as Readable, (fault) =>
    request.warn(`an event of the window could not be handled: ${String(fault)}`),
  );
  const ended = endOf(child, request.folder);
  const launched: Launched = { pipe, pid: child.pid ?? 0, ended, close: () => close(launched, child, request.folder) };
  try {
    await withLimit(pipe.send('Browser.getVersion'), startMs, () => {
      throw new Error(`it has not responded within ${startMs / 1_000} s.`);
    });
    return launched;
  } catch (fault) {
    await launched.close();
    throw new Error(sandboxFault(words) ?? relevantMessages(words) ?? oneLine(messageOf(fault), 600), { cause: fault });
  }
}

async function endOf(child: ChildProcess, folder: string): Promise<void> {
  // A failed start only emits `error`.
  await new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()));
  await endProcessesOf(folder, child.pid);
}

async function close({ pipe, ended }: Launched, { pid }: ChildProcess, folder: string): Promise<void> {
  pipe.send('Browser.close').catch(() => undefined); // the browser has ended already
  const isOver = await withLimit(
    ended.then(() => true),
    closeMs,
    () => false,
  );
  if (!isOver) await endProcessesOf(folder, pid);
  pipe.end(new Error('The window was closed.'));
  if (pid !== undefined) await ended;
}

/** Cleans up after an earlier server: its processes, and a lock file of an ended process or of an old host name. */
async function freeProfile(folder: string): Promise<void> {
  const profile = join(folder, 'profile');
  const locks = ['SingletonLock', 'SingletonCookie', 'SingletonSocket'].map((name) => join(profile, name));
  const found = await Promise.all(locks.map((path) => readlink(path).catch(() => undefined)));
  if (found.every((target) => target === undefined)) return;
  await endProcessesOf(folder);
  const socketFolder = dirname(found[2] ?? '');
  const isTheirs = dirname(socketFolder) === tmpdir() && /^(org\.chromium|com\.google|com\.microsoft)\./.test(basename(socketFolder));
  for (const path of isTheirs ? [...locks, socketFolder] : locks) await rm(path, { recursive: true, force: true });
}
