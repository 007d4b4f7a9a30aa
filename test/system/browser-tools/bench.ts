// Runs the browser plugin in its own small kernel with a real browser. Tests use it through `useBrowserBench`.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest';
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import * as browser from '../../../builtins/tools/browser/index.ts';
import * as files from '../../../builtins/tools/files/index.ts';
import { findBrowser, missingBrowser } from '../../helpers/browser.ts';
import { openToolBench, type ToolBench } from '../../unit/builtins/files/tool-bench.ts';
import { startSite, type Respond, type Site } from './site.ts';

export interface BrowserBench {
  readonly tools: ToolBench;
  readonly site: Site;
  readonly artifacts: ReadonlyMap<string, Uint8Array>;
  open(path: string, more?: object, turn?: Turn): Promise<{ readonly id: string; readonly text: string }>;
  act(sessionId: string, actions: readonly object[], turn?: Turn): Promise<ToolOutcome>;
  endTurn(turnId?: string): Promise<void>;
}

export interface Turn {
  readonly chatId?: string;
  readonly turnId?: string;
  readonly signal?: AbortSignal;
}

/** One bench and site per file. At its end no browser or folder may remain. Without a browser, tests are skipped, or fail if `CI` is set. */
export function useBrowserBench(
  pages: Readonly<Record<string, string | Respond>>,
  environment: (site: Site) => Record<string, string> = allowSite,
): () => BrowserBench {
  let bench: BrowserBench | undefined;
  useOwnFolder();
  beforeAll(async () => {
    if (isBrowserMissing()) return;
    const site = await startSite(pages);
    bench = await openBench(site, environment(site));
  });
  afterAll(async () => {
    if (!bench) return;
    expect(await bench.tools.close()).toEqual([]);
    expect(browsers()).toEqual([]);
    expect(folders()).toEqual([]);
    await bench.site.close();
  });
  return () => {
    if (!bench) throw new Error(missingBrowser);
    return bench;
  };
}

/** Sets a temporary folder for this file: files run in parallel, and each identifies its own browsers by their folder. */
export function useOwnFolder(): void {
  const outer = tmpdir();
  // A browser is slow on a busy machine.
  vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
  beforeAll(() => void (process.env['TMPDIR'] = mkdtempSync(join(outer, 'tab-'))));
  beforeEach((context) => {
    if (isBrowserMissing()) context.skip(missingBrowser);
  });
  afterAll(() => {
    rmSync(tmpdir(), { recursive: true, maxRetries: 3 });
    process.env['TMPDIR'] = outer;
  });
}

const isBrowserMissing = (): boolean => findBrowser() === undefined && process.env['CI'] === undefined;

export const allowSite = (site: Site): Record<string, string> => ({ AGENT_BROWSER_ALLOWED_HOSTS: `127.0.0.1:${site.port}` });

async function openBench(site: Site, environment: Record<string, string>): Promise<BrowserBench> {
  const artifacts = new Map<string, Uint8Array>();
  const store = {
    async save(_: string, content: string | Uint8Array) {
      const bytes = Buffer.from(content);
      const id = createHash('sha256').update(bytes).digest('hex');
      artifacts.set(id, bytes);
      return id;
    },
    isOwn: async () => false,
    distrust: async () => undefined,
    read: async (_: string, id: string) => artifacts.get(id),
  };
  const tools = await openToolBench({ modules: { files, browser }, services: { artifacts: store, chats: {} as never }, environment });
  return {
    ...{ tools, site, artifacts },
    async open(path, more = {}, turn = {}) {
      const text = await tools.output('browser_open', { url: site.url + path, ...more }, turn);
      return { id: sessionOf(text), text };
    },
    act: (sessionId, actions, turn = {}) => tools.run('browser_act', { sessionId, actions }, turn),
    endTurn: (turnId = 'turn_1') => tools.owner.call('turn.after', [{ turnId } as never, {} as never]),
  };
}

export const sessionOf = (text: string): string => /tab_\d+/.exec(text)?.[0] ?? 'none';
export const refOf = (text: string, name: string): string => /\[ref=(\w+)\]/.exec(text.split('\n').find((line) => line.includes(name)) ?? '')?.[1] ?? 'none';
export const textOf = (outcome: ToolOutcome): string => (outcome.ok ? outcome.output : outcome.error);

export function browsers(): string[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8', maxBuffer: 16_000_000 }).split('\n');
  return rows.filter((row) => row.includes(`=${tmpdir()}/app-browser-`) && !/^\s*\d+ Z/.test(row)).map((row) => row.trim());
}

export function folders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('app-browser-'));
}
