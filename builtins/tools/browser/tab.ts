// Tracks one page of a turn's browser: its events, and the names of its elements.
import { oneLine } from '#lib/text';
import type { Dialog, Download, Page } from 'playwright-core';
import { within } from './deadline.ts';
import { watchDownload, type DownloadEnd } from './downloads.ts';

export interface DialogAnswer {
  readonly accept: boolean;
  /** Text for a prompt dialog. */
  readonly text?: string;
}

export interface Tab {
  /** The `sessionId` for the model, such as `tab_1`. */
  readonly id: string;
  readonly page: Page;
  readonly url: string;
  /** Reason why the tab can no longer be used; `undefined` if it can. */
  readonly whyOver: string | undefined;
  /** Time of the last use by the agent, in milliseconds of this process; 0 if never used. */
  readonly usedAt: number;
  /** Returns the name of an element in the last snapshot, such as `button "Send"` for `e12`. */
  nameOf(ref: string): string | undefined;
  keepNames(snapshot: string): void;
  /** The tree that was last sent to the model, in full or as changes. */
  sentTree: string | undefined;
  /** Sets the answer to the next dialog. */
  answerNext(answer: DialogAnswer): void;
  /** Starts a new call: resets the dialog count, and drops an answer that was not used. */
  beginCall(): void;
  /** Returns lines about the dialogs since the last call. */
  takeNotes(): string[];
  /** Returns the downloads since the last call. */
  takeDownloads(): Promise<DownloadEnd>[];
}

/** Maximum number of dialogs per call; a page that opens more is closed. */
const dialogLimit = 10;
const closeMs = 1_000;
/** Matches a line of the snapshot: role, optional name, and reference. */
const elementLine = /^\s*- (?<name>'?[a-z]+(?: "(?:[^"\\]|\\.)*")?)[^\n]*?\[ref=(?<ref>[a-z0-9]+)\]/gm;

/** @param downloadFolder path of the browser's download folder */
export function createTab(id: string, page: Page, downloadFolder: string): Tab {
  let names = new Map<string, string>();
  let whyOver: string | undefined;
  let usedAt = 0;
  let dialogs = 0;
  let answers: DialogAnswer[] = [];
  let notes: string[] = [];
  let downloads: Promise<DownloadEnd>[] = [];

  async function onDialog(dialog: Dialog): Promise<void> {
    // `goto` leaves the page intentionally.
    if (dialog.type() === 'beforeunload') return dialog.accept();
    if (++dialogs > dialogLimit) {
      if (dialogs === dialogLimit + 1) notes.push(`The page opened more than ${dialogLimit} dialogs and was closed.`);
      return within(closeMs, page.close(), 'The page');
    }
    const answer = answers.shift();
    const said = answer?.accept === true ? 'accepted' : 'dismissed';
    notes.push(`A dialog (${dialog.type()}) was ${said}: "${oneLine(dialog.message(), 300)}"`);
    return answer?.accept === true ? dialog.accept(answer.text) : dialog.dismiss();
  }

  page.on('dialog', (dialog) => void onDialog(dialog).catch(() => undefined));
  page.on('download', (download: Download) => void downloads.push(watchDownload(download, downloadFolder)));
  page.on('crash', () => (whyOver = 'The page crashed. Open it again with browser_open.'));
  page.on('close', () => (whyOver ??= 'The page was closed. Open it again with browser_open.'));

  return {
    id,
    page,
    sentTree: undefined,
    get url() {
      return page.url();
    },
    get whyOver() {
      return whyOver;
    },
    get usedAt() {
      return usedAt;
    },
    nameOf: (ref) => names.get(ref),
    keepNames(snapshot) {
      names = new Map([...snapshot.matchAll(elementLine)].map(({ groups }) => [groups?.['ref'] ?? '', groups?.['name'] ?? '']));
    },
    answerNext: (answer) => void answers.push(answer),
    beginCall() {
      usedAt = performance.now();
      dialogs = 0;
      answers = [];
    },
    takeNotes() {
      const taken = notes;
      notes = [];
      return taken;
    },
    takeDownloads() {
      const taken = downloads;
      downloads = [];
      return taken;
    },
  };
}
