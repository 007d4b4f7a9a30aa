// Builds the result of a browser tool: actions, events, and the current page.
import { oneLine, textStart } from '#lib/text';
import type { ImagePart } from 'agent-harness/plugins/models';
import type { Artifacts, ToolOutcome } from 'agent-harness/plugins/tools';
import { within } from './deadline.ts';
import type { DownloadEnd } from './downloads.ts';
import { changesOf } from './page-changes.ts';
import type { Tab } from './tab.ts';
import type { TurnBrowser } from './turn-browser.ts';
import { faultText } from './fault-text.ts';
import type { ActionDone } from './action-done.ts';

export interface Answer {
  addLine(line: string): void;
  /** Includes the whole page in the result instead of its changes. */
  showWhole(): void;
  /** Adds a successful action to the result. */
  step(text: string, done: ActionDone): Promise<void>;
  success(): Promise<ToolOutcome>;
  failure(why?: string): Promise<ToolOutcome>;
}

/** Maximum length of a snapshot in UTF-16 code units. */
const snapshotLimit = 20_000;
const bodyLimit = 6_000;
/** Maximum number of images per call that the model receives; further images are stored only as artifacts. */
const imageLimit = 4;
const snapshotMs = 5_000;
const downloadMs = 10_000;

export function createAnswer(tab: Tab, browser: TurnBrowser, { artifacts, chatId }: { readonly artifacts: Artifacts; readonly chatId: string }): Answer {
  const lines: string[] = [];
  const images: ImagePart[] = [];
  let isWhole = false;

  async function keepShort(text: string, limit: number): Promise<{ readonly text: string; readonly artifactId?: string }> {
    if (text.length <= limit) return { text };
    const artifactId = await artifacts.save(chatId, text);
    const end = text.lastIndexOf('\n', limit);
    return { text: `${textStart(text, end > limit / 2 ? end : limit)}\n[shortened; all ${text.length} characters: read_artifact ${artifactId}]`, artifactId };
  }

  async function addDownload(download: Promise<DownloadEnd>): Promise<void> {
    const end = await within(downloadMs, download, 'The download').catch(() => undefined);
    if (!end) lines.push('A download is still running.');
    else if ('why' in end) lines.push(`The download ${end.name} was refused: ${end.why}.`);
    else lines.push(`The download ${end.name} (${end.bytes.length} bytes) is artifact ${await artifacts.save(chatId, end.bytes)}.`);
  }

  async function addEvents(): Promise<void> {
    lines.push(...tab.takeNotes());
    for (const download of tab.takeDownloads()) await addDownload(download);
    const { tabs, refused } = browser.takePopups();
    for (const popup of tabs) {
      lines.push(`The page opened another page, sessionId ${popup.id}: ${oneLine(popup.url, 300)}`);
      for (const download of popup.takeDownloads()) await addDownload(download);
    }
    if (refused > 0) lines.push(`${refused} more windows were closed.`);
    for (const why of browser.gate.takeRefused()) lines.push(`A request was refused: ${why}`);
  }

  async function put(): Promise<{ readonly text: string; readonly artifactId?: string }> {
    await addEvents();
    if (tab.whyOver !== undefined) return { text: [...lines, tab.whyOver].join('\n') };
    const { title, tree, why } = await readView(tab);
    // The browser reports a newly opened page only after a delay.
    await addEvents();
    const earlierTree = isWhole ? undefined : tab.sentTree;
    const changes = earlierTree === undefined || tree === undefined ? undefined : changesOf(earlierTree, tree);
    tab.sentTree = tree;
    const head = [`sessionId: ${tab.id}`, `url: ${oneLine(tab.url, 2_000)}`, `title: ${title}`, ...lines, ''];
    if (changes === '') return { text: [...head, 'Page: unchanged.'].join('\n') };
    const what = changes === undefined ? 'Page:' : 'Page changes (+ added, - removed; all else is unchanged, with its refs):';
    const { text, artifactId } = await keepShort(changes ?? tree ?? `(the page cannot be read: ${tab.whyOver ?? why ?? ''})`, snapshotLimit);
    return { text: [...head, what, text].join('\n'), ...(artifactId === undefined ? {} : { artifactId }) };
  }

  return {
    addLine: (line) => void lines.push(line),
    showWhole: () => void (isWhole = true),
    async step(text, { note, body, shot }) {
      const parts = [`${text}: ok${note === undefined ? '' : `, ${note}`}`];
      if (shot) {
        const isShown = shot.shown !== undefined && images.length < imageLimit;
        if (shot.shown && isShown) images.push(shot.shown);
        parts.push(`   PNG, ${shot.png.length} bytes, artifact ${await artifacts.save(chatId, shot.png)}${isShown ? '' : ' (not shown)'}`);
      }
      if (body !== undefined) parts.push((await keepShort(body, bodyLimit)).text);
      lines.push(...parts);
    },
    async success() {
      const { text, artifactId } = await put();
      return {
        ...{ ok: true, output: text, isUntrusted: true },
        ...(artifactId === undefined ? {} : { artifactId }),
        ...(images.length > 0 ? { images } : {}),
      };
    },
    async failure(why) {
      if (why !== undefined) lines.push(why);
      return { ok: false, error: (await put()).text, isUntrusted: true };
    },
  };
}

/** Returns the title and the tree of the page. Never rejects; `tree` is `undefined` if the page does not respond. */
async function readView(tab: Tab): Promise<{ readonly title: string; readonly tree: string | undefined; readonly why?: string }> {
  try {
    const title = oneLine(await within(snapshotMs, tab.page.title(), 'The page'), 300);
    const tree = await within(snapshotMs, tab.page.ariaSnapshot({ mode: 'ai', timeout: snapshotMs }), 'The page');
    tab.keepNames(tree);
    return { title, tree: tree.trim() === '' ? '(empty page)' : tree };
  } catch (fault) {
    return { title: '', tree: undefined, why: faultText(fault) };
  }
}
