// Starts the browser program without permissions or extensions, and with network access only through the gate.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sandboxFault } from '#lib/chromium';
import { messageOf } from '#lib/errors';
import { endProcessesOf } from '#lib/folder-processes';
import type * as Playwright from 'playwright-core';
import type { BrowserContext, LaunchOptions } from 'playwright-core';
import type { Gate } from './gate.ts';
import { profileOf } from './browser-records.ts';
import { faultText } from './fault-text.ts';

export interface LaunchRequest {
  readonly program: string;
  readonly folder: string;
  readonly gate: Gate;
  readonly signal: AbortSignal;
}

const launchMs = 30_000;
const pollMs = 50;
/** Time limits of one action and of one navigation, in milliseconds. */
const actionMs = 5_000;
const navigationMs = 15_000;

/**
 * Disabled features of Chromium. Chromium uses only the last such flag, so this flag includes the driver's own list. The pop-ups of the address bar are
 * disabled, because they are separate pages that cost more than the requested page.
 */
export const featuresOff = `--disable-features=${[
  ...['AimEnabled', 'AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose'],
  ...['HttpsFirstBalancedModeAutoEnable', 'HttpsUpgrades', 'LensOverlay', 'MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints'],
  ...['PaintHolding', 'PreconnectToSearch', 'TcpPortRandomizationWin', 'ThirdPartyStoragePartitioning'],
  ...['msEdgeUpdateLaunchServicesPreferredVersion', 'msForceBrowserSignIn'],
  ...['WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxPopup'],
].join()}`;

const flags = [
  featuresOff,
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-crash-reporter',
  '--no-pings',
  '--deny-permission-prompts',
  // Only the gate resolves names, and UDP cannot bypass it.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/** Loads the driver, an optional package; without it there is no browser tool. */
async function loadDriver(): Promise<Pick<typeof Playwright, 'chromium'>> {
  try {
    return await import('playwright-core');
  } catch (cause) {
    throw new Error("The package 'playwright-core', which drives the browser, is not installed. Tell the user to install it: npm install playwright-core.", {
      cause,
    });
  }
}

/** Starts the browser. Rejects with a message for the model, immediately if the signal is already aborted. */
export async function launch({ program, folder, gate, signal }: LaunchRequest): Promise<BrowserContext> {
  signal.throwIfAborted();
  const { chromium } = await loadDriver();
  const profile = profileOf(folder);
  const places = { artifactsDir: join(folder, 'artifacts'), downloadsPath: join(folder, 'downloads'), tracesDir: join(folder, 'traces') };
  for (const place of [profile, ...Object.values(places)]) await mkdir(place, { mode: 0o700 });
  // The turn may have been aborted in the meantime, and a signal that is already aborted emits no further event.
  signal.throwIfAborted();
  const options: LaunchOptions = {
    ...{ executablePath: program, headless: true, args: flags, timeout: launchMs, ...places },
    // As root, Chromium refuses to start with its sandbox.
    chromiumSandbox: process.getuid?.() !== 0,
    // Otherwise, opening windows would require a click.
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    // The server itself closes its browsers, so the library must not handle signals.
    ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
    proxy: { server: gate.url, username: gate.username, password: gate.password },
    env: environmentOf(folder),
  };
  let isSettled = false;
  const starting = chromium
    .launchPersistentContext(profile, { ...options, acceptDownloads: true, serviceWorkers: 'block', permissions: [] })
    .finally(() => (isSettled = true));
  const onAbort = (): void => void endWhile(() => !isSettled, folder);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const context = await starting;
    context.setDefaultTimeout(actionMs);
    context.setDefaultNavigationTimeout(navigationMs);
    return context;
  } catch (fault) {
    signal.throwIfAborted();
    throw new Error(`The browser ${program} could not be started: ${explain(fault)}`, { cause: fault });
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Returns the process id of the browser's main process, the leader of its process group. */
export async function readPid(context: BrowserContext): Promise<number | undefined> {
  const session = await context.browser()?.newBrowserCDPSession();
  const { processInfo } = (await session?.send('SystemInfo.getProcessInfo')) ?? { processInfo: [] };
  await session?.detach();
  return processInfo.find(({ type }) => type === 'browser')?.id;
}

/** Ends the program during its start; it may not exist yet when the signal is aborted. */
async function endWhile(isStarting: () => boolean, folder: string): Promise<void> {
  while (isStarting()) {
    await endProcessesOf(folder).catch(() => undefined);
    await delay(pollMs);
  }
}

function explain(fault: unknown): string {
  const text = messageOf(fault);
  const forbidden = sandboxFault(text);
  if (forbidden !== undefined) return forbidden;
  const ownWords = /error while loading shared libraries: [^\n]*/.exec(text)?.[0];
  return ownWords ?? faultText(fault);
}

/** Returns the environment variables of the server that programs need; the temporary folder serves as the home folder. */
function environmentOf(folder: string): Record<string, string> {
  const wanted = [
    'PATH',
    'LANG',
    'LC_ALL',
    'TZ',
    'SYSTEMROOT',
    'WINDIR',
    'PROGRAMFILES',
    'PROGRAMDATA',
    'LOCALAPPDATA',
    'APPDATA',
    'USERPROFILE',
    'TEMP',
    'TMP',
  ];
  const kept = wanted.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]));
  const own = process.platform === 'win32' ? {} : { HOME: folder };
  // On other systems, the path of the browser's socket would be too long.
  return { ...Object.fromEntries(kept), ...own, ...(process.platform === 'linux' ? { TMPDIR: folder } : {}) };
}
