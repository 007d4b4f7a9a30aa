// Tests file previews beside the chat: PDF pages, and HTML pages with their assets.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { makePdf } from '../../helpers/make-pdf.ts';
import { axeFaults } from './axe-faults.ts';
import { button, isReady, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const context = { viewport: { width: 1280, height: 800 } };
const pane = (page: Page) => page.getByRole('complementary', { name: 'Side pane' });

async function preview(page: Page, name: string): Promise<void> {
  await isReady(page);
  await page.keyboard.press('Control+.');
  await pane(page).getByRole('tab', { name: 'Files' }).click();
  await pane(page)
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click();
  await button(pane(page), 'Preview').click();
}

test('draws PDF pages on demand with selectable text', async () => {
  const texts = Array.from({ length: 30 }, (_, index) => `Words of sheet ${index + 1}`);
  const { page } = await visit({ files: (workspace) => writeFile(join(workspace, 'a.pdf'), makePdf(texts)), context });
  await preview(page, 'a\\.pdf');
  await pane(page).getByText('30 pages').waitFor();
  const frame = page.frameLocator('iframe[title="Preview of a.pdf"]');
  await frame.getByText('Words of sheet 1', { exact: true }).waitFor();
  expect(await frame.locator('section').count()).toBe(30);
  expect(await frame.locator('canvas').count()).toBeLessThan(10);
  const ink = await frame
    .locator('canvas')
    .first()
    .evaluate((one) => {
      const canvas = one as HTMLCanvasElement;
      return canvas
        .getContext('2d')
        ?.getImageData(0, 0, canvas.width, canvas.height)
        .data.some((value, index) => index % 4 === 0 && value < 100);
    });
  expect(ink).toBe(true);
  expect(await frame.locator('body').evaluate(() => self.origin)).toBe('null');
  const wide = await frame
    .locator('section')
    .first()
    .evaluate((one) => one.clientWidth);
  await button(pane(page), 'Larger').press('Enter');
  await expect
    .poll(() =>
      frame
        .locator('section')
        .first()
        .evaluate((one) => one.clientWidth),
    )
    .toBeGreaterThan(wide);
  await frame.getByLabel('Page 30').scrollIntoViewIfNeeded();
  await frame.getByText('Words of sheet 30', { exact: true }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
});

test('reports an invalid PDF and offers to save it', async () => {
  const { page } = await visit({ files: (workspace) => writeFile(join(workspace, 'a.pdf'), '%PDF-1.4\nnothing'), context });
  await preview(page, 'a\\.pdf');
  await pane(page)
    .getByText(/^This PDF cannot be displayed: /)
    .waitFor();
  await pane(page).getByRole('link', { name: 'Save' }).waitFor();
});

test('shows an HTML page with its style sheets, scripts and images', async () => {
  const { page, expectFault } = await visit({
    files: async (folder) => {
      await mkdir(join(folder, 'site/parts'), { recursive: true });
      await writeFile(
        join(folder, 'site/index.html'),
        '<!doctype html><link rel="stylesheet" href="parts/look.css"><script defer src="./parts/app.js"></script><h1>Hello</h1><img alt="dot" src="parts/dot.svg">',
      );
      await writeFile(join(folder, 'site/parts/look.css'), '@import "more.css"; body { background-image: url(dot.svg) }');
      await writeFile(join(folder, 'site/parts/more.css'), 'h1 { color: rgb(1, 2, 3) }');
      await writeFile(
        join(folder, 'site/parts/dot.svg'),
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="red"/></svg>',
      );
      await writeFile(join(folder, 'site/parts/app.js'), 'document.querySelector("h1").textContent = "Hello from the script </scr" + "ipt>";');
    },
    context,
  });
  // The browser logs each blocked script.
  expectFault(/Blocked script execution/);
  await isReady(page);
  await page.keyboard.press('Control+.');
  await pane(page).getByRole('tab', { name: 'Files' }).click();
  await pane(page).getByRole('button', { name: /^site/ }).click();
  await pane(page)
    .getByRole('button', { name: /^index\.html/ })
    .click();
  await button(pane(page), 'Preview').click();
  const frame = page.frameLocator('iframe[title="Preview of site/index.html"]');
  const heading = frame.getByRole('heading');
  await heading.getByText('Hello', { exact: true }).waitFor();
  expect(await heading.evaluate((one) => getComputedStyle(one).color)).toBe('rgb(1, 2, 3)');
  expect(await frame.locator('body').evaluate((one) => getComputedStyle(one).backgroundImage.slice(0, 24))).toBe('url("data:image/svg+xml;');
  await expect.poll(() => frame.getByRole('img', { name: 'dot' }).evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(40);
  await button(pane(page), 'Run scripts').click();
  await heading.getByText('Hello from the script').waitFor();
  expect(await axeFaults(page)).toEqual([]);
});

const attack = String.raw`<!doctype html><link rel="preconnect" href="//words.example.org">
<iframe id="parsed" srcdoc="<script>parent.found('parsed srcdoc', self)</script>"></iframe>
<iframe sandbox="allow-scripts" srcdoc="<script>parent.postMessage(typeof RTCPeerConnection, '*')</script>"></iframe>
<div><template shadowrootmode="closed"><iframe sandbox="allow-scripts" srcdoc="<script>parent.postMessage(typeof RTCPeerConnection, '*')</script>"></iframe></template></div>
<h1>Waiting</h1>
<script>
const names = [];
function found(name, realm) { try { if (realm && realm.RTCPeerConnection) names.push(name); } catch { names.push(name + ' unreachable'); } }
const markup = '<iframe src="about:blank"></iframe>';
onmessage = ({ data }) => names.push('message ' + data);
found('self', self);
found('parsed', self[0]);
let ran = '';
const tries = {
  append() { const one = document.createElement('iframe'); document.body.append(one); found('append', one.contentWindow); },
  object() { const one = document.createElementNS('http://www.w3.org/1999/xhtml', 'object'); one.data = 'about:blank'; document.body.appendChild(one); found('object', self[0]); },
  inner() { const one = document.createElement('p'); document.body.append(one); one.innerHTML = markup; found('inner', self[0]); },
  adjacent() { document.body.insertAdjacentHTML('beforeend', markup); found('adjacent', self[0]); },
  shadow() { const host = document.createElement('p'); const root = host.attachShadow({ mode: 'closed' }); root.innerHTML = markup; document.body.append(host); found('shadow', self[0]); },
  late() { const host = document.createElement('p'); const root = host.attachShadow({ mode: 'closed' }); document.body.append(host); root.append(document.createElement('iframe')); found('late', self[0]); },
  unsafe() { const one = document.createElement('p'); document.body.append(one); one.setHTMLUnsafe('<template shadowrootmode=closed>' + markup + '</template>'); found('unsafe', self[0]); },
  range() { document.createRange().insertNode(document.createElement('iframe')); found('range', self[0]); },
  fragment() { document.body.append(document.createRange().createContextualFragment(markup)); found('fragment', self[0]); },
  parsed() { document.body.append(new DOMParser().parseFromString(markup, 'text/html').body.firstChild); found('parsed', self[0]); },
  caption() { const table = document.createElement('table'); document.body.append(table); const one = document.createElement('caption'); one.append(document.createElement('iframe')); table.caption = one; found('caption', self[0]); },
  option() {
    const { body } = new DOMParser().parseFromString('<select><option><p><iframe></iframe></p></option></select>', 'text/html');
    const one = document.createElement('select'); document.body.append(one); one.options[0] = body.querySelector('option') ?? body.querySelector('iframe'); found('option', self[0]);
  },
  entity() {
    const xml = '<!DOCTYPE a [<!ENTITY e "&#60;x:iframe xmlns:x=\'http://www.w3.org/1999/xhtml\'/>">]><option xmlns="http://www.w3.org/1999/xhtml">&e;</option>';
    const one = document.createElement('select'); document.body.append(one); one.options[0] = new DOMParser().parseFromString(xml, 'application/xhtml+xml').documentElement; found('entity', self[0]);
  },
  parse() { const one = document.createElement('select'); document.body.append(one); one.options[0] = Document.parseHTMLUnsafe('<select><option><iframe></iframe></option></select>').querySelector('option'); found('parse', self[0]); },
  transform() {
    const sheet = '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><option xmlns="http://www.w3.org/1999/xhtml"><xsl:element name="iframe"/></option></xsl:template></xsl:stylesheet>';
    const processor = new XSLTProcessor(); processor.importStylesheet(new DOMParser().parseFromString(sheet, 'application/xml'));
    const made = processor.transformToFragment(new DOMParser().parseFromString('<a/>', 'application/xml'), document).firstChild;
    const one = document.createElement('select'); document.body.append(one); one.options[0] = made; found('transform', self[0]);
  },
  prefixed() { const one = document.createElementNS('http://www.w3.org/1999/xhtml', 'h:iframe'); document.body.append(one); found('prefixed', self[0]); },
  extended() { class Own extends HTMLIFrameElement {} customElements.define('own-frame', Own, { extends: 'iframe' }); document.body.append(new Own()); found('extended', self[0]); },
  coerced() { let turn = 0; const sly = { toString: () => (turn++ === 0 ? 'x' : markup) }; const one = document.createElement('p'); document.body.append(one); one.innerHTML = sly; found('coerced', self[0]); },
  write() { document.write('<ifr'); document.write('ame></iframe>'); found('write', self[0]); },
  pollute() {
    RegExp.prototype.exec = () => null; RegExp.prototype[Symbol.replace] = (text) => text; Object.defineProperty(Node, Symbol.hasInstance, { value: () => false });
    const { querySelectorAll, remove } = Element.prototype; const iterate = Array.prototype[Symbol.iterator];
    Element.prototype.querySelectorAll = () => []; Element.prototype.remove = () => undefined; Array.prototype[Symbol.iterator] = function* () {};
    document.body.appendChild(document.createElement('iframe')); found('pollute', self[0]);
    document.body.insertAdjacentHTML('beforeend', markup); found('pollute text', self[0]);
    Object.assign(Element.prototype, { querySelectorAll, remove }); Array.prototype[Symbol.iterator] = iterate;
  },
  restore() { delete self.RTCPeerConnection; found('restore', self); },
};
const moves = {
  blob() { const type = 'text/html'; const address = URL.createObjectURL(new Blob(['<h1>Moved</h1>'], { type })); location.href = address; },
  address() { const one = document.createElement('a'); one.href = "javascript:'<h1>Moved</h1>'"; document.body.append(one); one.click(); },
};
for (const name of Object.keys(tries)) try { tries[name](); } catch { /* refused */ }
const move = () => { for (const name of Object.keys(moves)) moves[name](); };
const own = document.createElement('script');
own.textContent = 'ran += "added "';
document.head.append(own);
const tell = () => (document.querySelector('h1').textContent = ran + 'found: ' + names.join());
</script>
<button onclick="tell()">Tell</button><button onclick="move()">Move</button>`;

test('denies WebRTC in every frame of a page with scripts enabled, and navigation to generated documents', async () => {
  const { page, expectFault } = await visit({ files: (folder) => writeFile(join(folder, 'a.html'), attack), context });
  expectFault(/.*/);
  await preview(page, 'a\\.html');
  await button(pane(page), 'Run scripts').click();
  const frame = page.frameLocator('iframe[title="Preview of a.html"]');
  await frame.getByRole('button', { name: 'Tell' }).click();
  await frame.getByRole('heading', { name: /found/ }).waitFor();
  expect(await frame.getByRole('heading').allTextContents()).toEqual(['added found: ']);
  await frame.getByRole('button', { name: 'Move' }).click();
  expect(await frame.locator('iframe, object, link').count()).toBe(0);
});
