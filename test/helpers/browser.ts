// A real browser against a real server and the scripted model: what a person sees, and whatever went wrong while they looked.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { featuresOff } from '../../builtins/tools/browser/launch.ts';
import { resetServer } from './reset-server.ts';
import { startScriptedModel, type Script, type ScriptedModel } from './scripted-model.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';

/** For a closed network. Names other than this machine's lead nowhere, so that nothing can be fetched from outside. */
const flags = [
  featuresOff,
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP box.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

const usualPlaces = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const missingBrowser = `no browser: CHROMIUM_PATH is not set, and there is none of ${usualPlaces.join(', ')}`;

export function findBrowser(): string | undefined {
  return [process.env['CHROMIUM_PATH'] ?? '', ...usualPlaces].find((path) => path !== '' && existsSync(path));
}

/** Draws pages as the browser does, without what shows windows: a quarter less work. Whoever names a browser gets that one. */
const shell = '/usr/bin/chromium-headless-shell';
const findShell = (): string | undefined => (process.env['CHROMIUM_PATH'] === undefined && existsSync(shell) ? shell : undefined);

/** Whoever launches one closes it. @param more flags that ask for the whole browser */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const executablePath = (more.length === 0 ? findShell() : undefined) ?? findBrowser();
  if (executablePath === undefined) throw new Error(missingBrowser);
  return chromium.launch({ executablePath, args: [...flags, ...more] });
}

export interface VisitOptions {
  /** What the model says. `demo`: no model is configured, so the demo model answers. */
  readonly script?: Script | 'demo';
  readonly environment?: Readonly<Record<string, string>>;
  readonly context?: BrowserContextOptions;
  readonly prepare?: (place: { readonly home: string; readonly workspace: string }) => Promise<void> | void;
  readonly plugins?: Readonly<Record<string, string>>;
  readonly files?: (workspace: string) => unknown;
  /** Starts a server for this visit: the test reads what a server remembers of earlier use, for example the usage of the day. */
  readonly isFresh?: boolean;
  readonly isClosed?: boolean;
  /** Opens the page under a name that is not this machine's, so that a token must be typed in. */
  readonly isForeign?: boolean;
}

export interface Visit {
  readonly home: string;
  readonly workspace: string;
  readonly model: ScriptedModel;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly server: ServerProcess;
  readonly origin: string;
  openTab(path?: string): Promise<Page>;
  /** Console errors, refused policies, failed requests, exceptions, and requests to elsewhere. */
  readonly faults: readonly string[];
  expectFault(pattern: RegExp): void;
  /** Starts the server again on the same port and home; the old one must be gone. */
  startAgain(environment?: Readonly<Record<string, string>>): Promise<ServerProcess>;
  close(): Promise<string[]>;
}

export interface Site extends Pick<Visit, 'home' | 'workspace' | 'model' | 'server' | 'startAgain'> {
  /** Restores the state before the first visit. Returns false when something remains that cannot be restored. */
  reset(): Promise<boolean>;
  close(): Promise<void>;
}

export async function openSite(options: VisitOptions = {}): Promise<Site> {
  const home = await mkdtemp(join(tmpdir(), 'browser-home-'));
  const workspace = await mkdtemp(join(tmpdir(), 'browser-work-'));
  const { plugins = {} } = options;
  if (options.plugins) await mkdir(join(home, 'plugins'));
  for (const [name, source] of Object.entries(plugins)) await writeFile(join(home, 'plugins', name), source);
  await options.prepare?.({ home, workspace });
  const isDemo = options.script === 'demo';
  const model = await startScriptedModel(options.script === undefined || options.script === 'demo' ? [] : options.script);
  const environment: Record<string, string> = {
    // What the server did not put away because the visit ended first goes with the home.
    TMPDIR: home,
    // Its question stands over all that a test looks at, unless that is the question.
    AGENT_PERSONA_BOOTSTRAP: '0',
    ...(isDemo ? {} : model.environment),
    ...(options.isForeign ? { AGENT_WEB_ALLOWED_HOSTS: 'box.test' } : {}),
    ...options.environment,
  };
  const start = (more: Readonly<Record<string, string>>): Promise<ServerProcess> =>
    startServerProcess({ home, workspace, environment: { ...environment, ...more } });
  const first = await start({});
  let server = first;
  return {
    home,
    workspace,
    model,
    get server() {
      return server;
    },
    async startAgain(more = {}) {
      server = await start({ PORT: new URL(first.url).port, ...more });
      return server;
    },
    reset: async () => server === first && (await resetServer(server, home, workspace, Object.keys(plugins)).catch(() => false)),
    async close() {
      await server.stop('SIGKILL');
      await model.close();
      await Promise.all([home, workspace].map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 3 })));
    },
  };
}

/** Opens a page on a server. The caller closes the visit, and then the server. */
export async function openVisit(browser: Browser, options: VisitOptions, site: Site): Promise<Visit> {
  site.model.play(options.script === undefined || options.script === 'demo' ? [] : options.script);
  const { home, workspace, model } = site;
  await options.files?.(workspace);
  const origin = options.isForeign ? `http://box.test:${new URL(site.server.url).port}` : site.server.url;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', serviceWorkers: 'block', ...options.context });
  context.setDefaultTimeout(30_000);
  const watch = await watchContext(context, origin);
  // Chromium reports a directive that it does not know.
  watch.expectFault(/Unrecognized Content-Security-Policy directive 'webrtc'/);
  // Only a name that is this machine's counts as secure without TLS.
  if (options.isForeign) watch.expectFault(/Cross-Origin-Opener-Policy header has been ignored/);
  const openTab = async (path = '/'): Promise<Page> => {
    const tab = await context.newPage();
    await tab.goto(origin + path);
    return tab;
  };
  let page: Page | undefined;
  if (!options.isClosed) page = await openTab();

  return {
    home,
    workspace,
    model,
    context,
    origin,
    openTab,
    get page() {
      if (!page) throw new Error('this visit opened no page');
      return page;
    },
    get server() {
      return site.server;
    },
    faults: watch.faults,
    expectFault: watch.expectFault,
    startAgain: (more) => site.startAgain(more),
    async close() {
      await closeContext(context);
      return watch.unexpected();
    },
  };
}

/** What a test is about to answer for its pages goes with them. */
export async function closeContext(context: BrowserContext): Promise<void> {
  for (const one of [context, ...context.pages()]) await one.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
}

export interface Watch {
  readonly faults: string[];
  expectFault(pattern: RegExp): void;
  unexpected(): string[];
}

/**
 * What a page says of a server that ends under it, or is away: no connection, one that breaks before an answer or in the middle of one, and what goes
 * through the service worker, which may be on its way itself.
 */
export const whileServerAway =
  /ERR_(?:CONNECTION_REFUSED|CONNECTION_RESET|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED|CONTENT_LENGTH_MISMATCH|FAILED)|error occurred when fetching the script|status of 50\d/;

/** What goes wrong in it, and what asks for anything but `origin`. */
export async function watchContext(context: BrowserContext, origin: string): Promise<Watch> {
  const faults: string[] = [];
  const expected: RegExp[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' && !isLeftBehind(message.text(), message.location().url))
      faults.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (fault) => void faults.push(`exception: ${fault.error().stack ?? String(fault.error())}`));
  context.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    if (!isLeftBehind(why, request.url())) faults.push(`request: ${why} ${request.method()} ${request.url()}`);
  });
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(?:data|blob):/.test(url)) faults.push(`outside: ${request.method()} ${url}`);
  });
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      // eslint-disable-next-line no-console -- the listener above hears it
      console.error(`policy: ${event.effectiveDirective} refused ${event.blockedURI} in ${event.sourceFile}:${event.lineNumber}`);
    });
  });
  return {
    faults,
    expectFault: (pattern) => void expected.push(pattern),
    unexpected: () => faults.filter((fault) => !expected.some((pattern) => pattern.test(fault))),
  };
}

/** What a page that goes away, or a stream that is closed, leaves behind; its icon goes through the service worker, where that is a failure. */
function isLeftBehind(why: string, url: string): boolean {
  return why === 'net::ERR_ABORTED' || (why.includes('net::ERR_FAILED') && url.endsWith('/icon.svg'));
}
