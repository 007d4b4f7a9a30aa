// Renders the pages of a PDF in a frame without an origin or network access. A page is rendered while it is near the viewport.
import { messageOf } from '#lib/errors';
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';

export interface PdfTask {
  readonly bytes: Uint8Array;
  /** Label of a page; `{page}` is replaced with its number. */
  readonly label: string;
  readonly language: string;
}

export interface PdfManner {
  /** Zoom factor; 1 is the width of the frame. */
  readonly zoom: number;
  readonly theme: 'light' | 'dark';
}

/** Message to the embedding page. */
export type PdfAnswer = { readonly pages: number; readonly fault?: undefined } | { readonly fault: string };

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

interface Sheet {
  readonly element: HTMLElement;
  readonly number: number;
  /** Aborts the rendering of the page, and releases the result. */
  forget?: (() => void) | undefined;
}

/** Maximum number of pixels of a page; more would exceed the memory of a phone. */
const maxPixels = 8_000_000;
const css = `
html { height: 100%; color-scheme: light dark; }
body { margin: 0; padding: 8px; background: #e4e4e0; }
body[data-theme=dark] { background: #2a2a28; }
section { position: relative; margin: 0 auto 8px; background: white; box-shadow: 0 1px 4px #0004; }
canvas { display: block; width: 100%; height: 100%; }
.words { position: absolute; inset: 0; overflow: clip; line-height: 1; text-align: initial; transform-origin: 0 0; --min-font-size: 1; --min-font-size-inv: 1; --text-scale-factor: calc(var(--total-scale-factor) * var(--min-font-size)); }
.words span, .words br { position: absolute; color: transparent; white-space: pre; cursor: text; transform-origin: 0 0; }
.words > :not(.markedContent), .words .markedContent span:not(.markedContent) { --font-height: 0; font-size: calc(var(--text-scale-factor) * var(--font-height)); --scale-x: 1; --rotate: 0deg; transform: rotate(var(--rotate)) scaleX(var(--scale-x)) scale(var(--min-font-size-inv)); }
.words .markedContent { display: contents; }
.words ::selection { background: #2f57c955; }
`;

let pdf: Pdf | undefined;
let manner: PdfManner = { zoom: 1, theme: 'light' };
let sheets: readonly Sheet[] = [];
const style = document.createElement('style');
style.textContent = css;
document.head.append(style);

addEventListener('message', ({ data, source }: MessageEvent<{ readonly task?: PdfTask; readonly manner?: PdfManner }>) => {
  if (source !== parent) return;
  if (data.manner) follow(data.manner);
  if (data.task) {
    void open(data.task)
      .catch((fault: unknown): PdfAnswer => ({ fault: messageOf(fault) }))
      .then((answer) => parent.postMessage({ answer }, '*'));
  }
});
new ResizeObserver(() => void layOut()).observe(document.documentElement);
parent.postMessage({ isReady: true }, '*');

async function open({ bytes, label, language }: PdfTask): Promise<PdfAnswer> {
  document.documentElement.lang = language;
  const [opened] = await Promise.all([getDocumentProxy(bytes, { verbosity: 0, isEvalSupported: false }), pdf?.destroy()]);
  pdf = opened;
  for (const { forget } of sheets) forget?.();
  const at = scrollY;
  sheets = Array.from({ length: opened.numPages }, (_, index) => {
    const element = document.createElement('section');
    element.ariaLabel = label.replace('{page}', String(index + 1));
    return { element, number: index + 1 };
  });
  seen.disconnect();
  document.body.replaceChildren(...sheets.map(({ element }) => element));
  await layOut();
  scrollTo(0, at);
  for (const { element } of sheets) seen.observe(element);
  return { pages: opened.numPages };
}

function follow(next: PdfManner): void {
  const isOther = next.zoom !== manner.zoom;
  manner = next;
  document.body.dataset['theme'] = next.theme;
  if (isOther) void layOut();
}

/** Creates all pages in the size of the first one, which they keep until they are rendered. */
async function layOut(): Promise<void> {
  const document = pdf;
  const first = await document?.getPage(1);
  if (!first || document !== pdf) return;
  const { width, height } = first.getViewport({ scale: 1 });
  const wide = widthNow();
  for (const sheet of sheets) {
    sheet.forget?.();
    sheet.forget = undefined;
    sheet.element.replaceChildren();
    sheet.element.style.width = `${wide}px`;
    sheet.element.style.height = `${(wide * height) / width}px`;
    seen.unobserve(sheet.element);
    seen.observe(sheet.element);
  }
}

const widthNow = (): number => Math.max(100, Math.floor((document.documentElement.clientWidth - 16) * manner.zoom));

const seen = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const sheet = sheets.find(({ element }) => element === target);
      if (!sheet) continue;
      if (isIntersecting) draw(sheet);
      else {
        sheet.forget?.();
        sheet.forget = undefined;
        sheet.element.replaceChildren();
      }
    }
  },
  { rootMargin: '100% 0px' },
);

function draw(sheet: Sheet): void {
  if (sheet.forget || !pdf) return;
  let isOver = false;
  let cancel = (): void => undefined;
  sheet.forget = () => {
    isOver = true;
    cancel();
  };
  void put(sheet, pdf, {
    isOver: () => isOver,
    onCancel: (end) => (cancel = end),
  }).catch(() => undefined); // a page that cannot be rendered stays white; the others are displayed
}

async function put({ element, number }: Sheet, document: Pdf, { isOver, onCancel }: { isOver(): boolean; onCancel(end: () => void): void }): Promise<void> {
  const [page, { TextLayer }] = await Promise.all([document.getPage(number), getResolvedPDFJS()]);
  if (isOver()) return;
  const wide = widthNow();
  const viewport = page.getViewport({ scale: wide / page.getViewport({ scale: 1 }).width });
  element.style.height = `${viewport.height}px`;
  const canvas = globalThis.document.createElement('canvas');
  const sharp = Math.min(devicePixelRatio || 1, Math.sqrt(maxPixels / (viewport.width * viewport.height)));
  canvas.width = Math.floor(viewport.width * sharp);
  canvas.height = Math.floor(viewport.height * sharp);
  const drawing = page.render({ canvas, viewport, transform: [sharp, 0, 0, sharp, 0, 0] });
  onCancel(() => drawing.cancel());
  await drawing.promise;
  if (isOver()) return;
  const words = globalThis.document.createElement('div');
  words.className = 'words';
  words.style.setProperty('--total-scale-factor', String(viewport.scale));
  element.replaceChildren(canvas, words);
  await new TextLayer({ textContentSource: page.streamTextContent(), container: words, viewport }).render();
  page.cleanup();
}
