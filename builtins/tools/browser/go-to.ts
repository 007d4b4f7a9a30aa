// Navigates a tab to a URL if it is a web address whose target is allowed.
import { withLimit } from '#lib/async';
import { oneLine } from '#lib/text';
import type { Page } from 'playwright-core';
import type { Tab } from './tab.ts';
import { judgeTarget } from './targets.ts';
import type { TurnBrowser } from './turn-browser.ts';
import { faultText } from './fault-text.ts';
import type { ActionDone } from './action-done.ts';

const loadMs = 5_000;
const downloadMs = 2_000;
const allowHint = 'Only the user can allow it, by adding the host to AGENT_BROWSER_ALLOWED_HOSTS.';

/** Navigates. Rejects with a message for the model. A page that never finishes loading is used in its current state. */
export async function goTo({ page }: Tab, browser: TurnBrowser, url: string): Promise<ActionDone> {
  await refusePrivate(url, browser.allowedHosts);
  const refusals = browser.gate.refusals;
  const download = nextDownload(page);
  try {
    const response = await page.goto(url, { waitUntil: 'commit' });
    const status = response?.status() ?? 200;
    if (status === 403 && browser.gate.refusals > refusals) throw new Error('refused');
    const isLoaded = await isReady(page);
    const notes = [...(status >= 400 ? [`HTTP status ${status}`] : []), ...(isLoaded ? [] : ['the page is still loading'])];
    return notes.length > 0 ? { note: notes.join('; ') } : {};
  } catch (fault) {
    if (faultText(fault).includes('Download is starting')) {
      await withLimit(download.started, downloadMs, () => undefined);
      return { note: 'the address is a download' };
    }
    if (browser.gate.refusals > refusals) throw new Error(`The URL leads to a host that pages may not load. ${allowHint}`, { cause: fault });
    throw fault;
  } finally {
    download.stop();
  }
}

/** Waits for a download; its event follows shortly after the failed navigation. */
function nextDownload(page: Page): { readonly started: Promise<void>; stop(): void } {
  let onDownload = (): void => undefined;
  const started = new Promise<void>((resolve) => (onDownload = resolve));
  page.once('download', onDownload);
  return { started, stop: () => void page.off('download', onDownload) };
}

/** Throws an error with a message for the model if the URL is not a web address, or if its target is private. */
export async function refusePrivate(text: string, allowed: string): Promise<void> {
  if (text === 'about:blank') return;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new Error(`${oneLine(text, 80)} is not an http or https URL.`);
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const ruling = await judgeTarget(url.hostname, port, allowed);
  if ('why' in ruling) throw new Error(ruling.isRefused ? `${ruling.why} ${allowHint}` : ruling.why);
}

async function isReady(page: Page): Promise<boolean> {
  try {
    await page.waitForLoadState('domcontentloaded', { timeout: loadMs });
    await page.waitForLoadState('load', { timeout: 2_000 }).catch(() => undefined);
    return true;
  } catch {
    return false;
  }
}
