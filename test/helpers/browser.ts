// Opens pages in a real browser, with a real server and the scripted model, and records the faults of the pages.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { featuresOff } from '../../builtins/tools/browser/launch.ts';
import { resetServer } from './reset-server.ts';
import { startScriptedModel, type Script, type ScriptedModel } from './scripted-model.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';

/** For an isolated network: only local names resolve, so nothing is fetched from external hosts. */
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

/** The headless shell renders pages like the full browser, without window code, and uses a quarter less CPU. CHROMIUM_PATH overrides it. */
const shell = '/usr/bin/chromium-headless-shell';
const findShell = (): string | undefined => (process.env['CHROMIUM_PATH'] === undefined && existsSync(shell) ? shell : undefined);

/** The caller closes the browser. @param more additional flags, which require the full browser */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const executablePath = (more.length === 0 ? findShell() : undefined) ?? findBrowser();
  if (executablePath === undefined) throw new Error(missingBrowser);
  return chromium.launch({ executablePath, args: [...flags, ...more] });
}

export interface VisitOptions {
  /** Script of the model. `demo`: no model is configured, so the demo model answers. */
  readonly script?: Script | 'demo';
  readonly environment?: Readonly<Record<string, string>>;
  readonly context?: BrowserContextOptions;
  readonly prepare?: (place: { readonly home: string; readonly workspace: string }) => Promise<void> | void;
  readonly plugins?: Readonly<Record<string, string>>;
  readonly files?: (workspace: string) => unknown;
  /** Starts a new server for this visit, because the test reads state of earlier use, for example the usage of the day. */
  readonly isFresh?: boolean;
  readonly isClosed?: boolean;
  /** Opens the page under a non-local host name, so the page requests the token. */
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
  /** Console errors, policy violations, failed requests, exceptions, and requests to other origins. */
  readonly faults: readonly string[];
  expectFault(pattern: RegExp): void;
  /** Restarts the server on the same port and home. The old server must have ended. */
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
    // Files that the server did not delete before the end of the visit are removed with the home.
    TMPDIR: home,
    // The bootstrap question would cover the tested content.
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
  // Chromium reports an unknown directive.
  watch.expectFault(/Unrecognized Content-Security-Policy directive 'webrtc'/);
  // Without TLS only local names are secure contexts.
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

/** Closes the context, after removing pending route handlers of its pages. */
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
 * Faults that a page reports while its server ends or is unavailable: no connection, a connection that breaks before or during a reply, and
 * requests through the service worker, which may itself still be loading.
 */
export const whileServerAway =
  /ERR_(?:CONNECTION_REFUSED|CONNECTION_RESET|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED|CONTENT_LENGTH_MISMATCH|FAILED)|error occurred when fetching the script|status of 50\d/;

/** Records faults of the context and requests to any origin other than `origin`. */
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

/** Returns whether closing a page or a stream caused the fault. The icon is loaded through the service worker, which reports a failure. */
function isLeftBehind(why: string, url: string): boolean {
  return why === 'net::ERR_ABORTED' || (why.includes('net::ERR_FAILED') && url.endsWith('/icon.svg'));
}
