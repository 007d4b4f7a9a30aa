import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { browsers, refOf, sessionOf, textOf, useBrowserBench } from './bench.ts';

const hugeBytes = 21 * 1024 * 1024;

const bench = useBrowserBench({
  '/dialogs': `<button onclick="document.title = confirm('Sure?')">Ask</button><button onclick="document.title = prompt('Who?')">Prompt</button>
    <button onclick="addEventListener('beforeunload', (event) => event.preventDefault())">Stay</button>`,
  '/loop': `<button onclick="for (;;) alert('again')">Loop</button>`,
  '/plain': '<title>Plain</title><p>Plain page</p>',
  '/popup': `<button onclick="window.open('/plain')">Pop</button><a href="/plain" target="_blank">New window</a>`,
  '/windows': `<title>Windows</title><script>for (let at = 0; at < 50; at++) open('/plain?' + at)</script>`,
  '/busy': `<title>Busy</title><button onclick="for (;;);">Freeze</button>`,
  '/endless': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write('<title>Endless</title><p>The beginning</p>');
    const timer = setInterval(() => response.write('<p>more</p>'), 50);
    response.once('close', () => clearInterval(timer));
  },
  '/file': (_, response) => void response.writeHead(200, { 'content-disposition': 'attachment; filename="report.csv"' }).end('a,b\n1,2\n'),
  '/huge': (_, response) => void response.writeHead(200, { 'content-disposition': 'attachment; filename="huge.bin"' }).end(Buffer.alloc(hugeBytes)),
  '/rights': `<script>(async () => {
      const states = await Promise.all(['geolocation', 'camera', 'microphone', 'notifications'].map(async (name) => (await navigator.permissions.query({ name })).state));
      const place = await new Promise((done) => navigator.geolocation.getCurrentPosition(() => done('told'), () => done('kept')));
      document.title = [...states, place].join(' ');
      await navigator.serviceWorker.register('/sw.js').catch(() => undefined);
    })()</script>`,
  '/sw.js': (_, response) => void response.writeHead(200, { 'content-type': 'text/javascript' }).end(''),
  '/long': `<title>Long</title><main><section aria-label="Cart"><p id="state">Nothing</p><button onclick="state.textContent = 'One thing'; this.nextElementSibling.hidden = false; document.querySelector('li').remove()">Add</button><button hidden>Pay</button></section>
    <ul>${Array.from({ length: 250 }, (_, at) => `<li>Thing <button>number ${at}</button></li>`).join('')}</ul></main>`,
  '/missing': (_, response) => void response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Not here</p>'),
});

const at = (path: string): string => bench().site.url + path;

test('returns the changes after an action on a long page, and the full page on request or for a new page', async () => {
  const { id, text } = await bench().open('/long');
  expect(text.length).toBeGreaterThan(15_000);
  const added = textOf(await bench().act(id, [{ op: 'click', ref: refOf(text, 'button "Add"') }]));
  expect(added).toContain('Page changes');
  expect(added).toMatch(/^ {2}\s*- region "Cart"/m);
  expect(added).toMatch(/^\+ .*One thing$/m);
  expect(added).toMatch(/^\+ .*button "Pay" \[ref=/m);
  expect(added).toMatch(/^- .*button "number 0"/m);
  expect(added).not.toMatch(/number [1-9]/);
  expect(added.length).toBeLessThan(1_500);
  for (const action of [{ op: 'screenshot' }, { op: 'hover', ref: refOf(added, 'button "Pay"') }]) {
    const still = textOf(await bench().act(id, [action]));
    expect(still).toMatch(/Page: unchanged\.$|\[active\]/);
    expect(still.length).toBeLessThan(1_500);
  }
  const whole = textOf(await bench().act(id, [{ op: 'snapshot' }]));
  expect(whole).toMatch(/^Page:$/m);
  expect(whole).toContain('button "number 9"');
  expect(textOf(await bench().act(id, [{ op: 'goto', url: at('/plain') }]))).toMatch(/^Page:\n.*Plain page$/ms);
});

test('dismisses dialogs, or answers them as set by a preceding dialog action', async () => {
  const { id, text } = await bench().open('/dialogs');
  const ask = { op: 'click', ref: refOf(text, 'Ask') };
  const no = textOf(await bench().act(id, [ask]));
  expect(no).toContain('title: false');
  expect(no).toContain('A dialog (confirm) was dismissed: "Sure?"');
  expect(textOf(await bench().act(id, [{ op: 'dialog', accept: true }, ask]))).toContain('title: true');
  expect(textOf(await bench().act(id, [ask]))).toContain('title: false');
  expect(
    textOf(
      await bench().act(id, [
        { op: 'dialog', accept: true, text: 'Ada' },
        { op: 'click', ref: refOf(text, 'Prompt') },
      ]),
    ),
  ).toContain('title: Ada');
  expect(textOf(await bench().act(id, [{ op: 'dialog' }, { op: 'click', ref: refOf(text, 'Stay') }, { op: 'goto', url: at('/plain') }]))).toContain(
    'title: Plain',
  );
});

test('closes a page that opens dialogs in an endless loop', async () => {
  const { id, text } = await bench().open('/loop');
  const outcome = await bench().act(id, [{ op: 'click', ref: refOf(text, 'Loop') }, { op: 'snapshot' }]);
  expect(outcome.ok).toBe(false);
  expect(textOf(outcome)).toContain('more than 10 dialogs');
  expect(textOf(await bench().act(id, [{ op: 'snapshot' }]))).toContain('The page was closed');
  expect((await bench().open('/plain')).text).toContain('Plain page');
});

test('opens a window from a click as its own session', async () => {
  const { id, text } = await bench().open('/popup');
  const opened = textOf(await bench().act(id, [{ op: 'click', ref: refOf(text, 'button "Pop"') }]));
  const popup = sessionOf(opened.slice(opened.indexOf('The page opened another page')));
  expect(popup).not.toBe(id);
  expect(textOf(await bench().act(popup, [{ op: 'snapshot' }]))).toContain('title: Plain');
});

test('blocks windows opened without a click and closes those over the limit', async () => {
  const { text } = await bench().open('/windows');
  expect(text).toContain('title: Windows');
  await bench().endTurn();
  for (let count = 0; count < 6; count++) await bench().open('/plain');
  const { id, text: popup } = await bench().open('/popup');
  const click = { op: 'click', ref: refOf(popup, 'button "Pop"') };
  const outcome = textOf(await bench().act(id, [click, click, click]));
  expect(outcome.match(/The page opened another page/g)).toHaveLength(1);
  expect(outcome).toContain('2 more windows were closed');
});

test('closes the oldest tab when the limit is exceeded', async () => {
  const first = await bench().open('/plain');
  for (let count = 0; count < 8; count++) await bench().open('/plain');
  expect(textOf(await bench().act(first.id, [{ op: 'snapshot' }]))).toContain('The page was closed');
});

test('returns the partial content of a page that never finishes loading', async () => {
  const { text } = await bench().open('/endless');
  expect(text).toContain('the page is still loading');
  expect(text).toContain('The beginning');
});

test('returns an error for a page that is blocked by an endless script', async () => {
  const { id, text } = await bench().open('/busy');
  const outcome = await bench().act(id, [{ op: 'click', ref: refOf(text, 'Freeze') }]);
  expect(textOf(outcome)).toContain('the page cannot be read');
  expect((await bench().open('/plain')).text).toContain('Plain page');
});

test('returns only one snapshot when the last action is a snapshot', async () => {
  const { id } = await bench().open('/plain');
  expect(textOf(await bench().act(id, [{ op: 'snapshot' }])).match(/Plain page/g)).toHaveLength(1);
});

test('reports a crashed renderer and opens the next page', async () => {
  const { id } = await bench().open('/plain');
  for (const row of browsers().filter((one) => one.includes('--type=renderer'))) execFileSync('kill', ['-9', row.trim().split(' ')[0] ?? '']);
  await expect.poll(async () => textOf(await bench().act(id, [{ op: 'snapshot' }])), { timeout: 30_000 }).toContain('The page crashed');
  expect((await bench().open('/plain')).text).toContain('Plain page');
});

test('fails on a crashed page and opens a new one after all renderers crash at the same time', async () => {
  let last = '';
  for (let n = 0; n < 8; n++) last = (await bench().open('/plain')).id;
  for (const row of browsers().filter((one) => one.includes('--type=renderer'))) execFileSync('kill', ['-9', row.trim().split(' ')[0] ?? '']);
  const [acted, next] = await Promise.all([bench().act(last, [{ op: 'snapshot' }]), bench().open('/plain')]);
  expect(acted.ok, textOf(acted)).toBe(false);
  expect(next.text).toContain('Plain page');
});

test('starts a new browser on the next browser_open after the browser process died', async () => {
  const { id } = await bench().open('/plain');
  for (const row of browsers().filter((one) => !one.includes('--type='))) execFileSync('kill', ['-9', row.trim().split(' ')[0] ?? '']);
  await expect.poll(async () => textOf(await bench().act(id, [{ op: 'snapshot' }])), { timeout: 30_000 }).toContain('The page was closed');
  expect((await bench().open('/plain')).text).toContain('Plain page');
});

test('stores a download as an artifact and rejects one that is too large', async () => {
  const small = await bench().open('/file');
  expect(small.text).toMatch(/The download report\.csv \(8 bytes\) is artifact [0-9a-f]{64}/);
  expect([...bench().artifacts.values()].map(String)).toContain('a,b\n1,2\n');
  const huge = await bench().open('/huge');
  expect(huge.text).toContain('The download huge.bin was refused: it is larger than 20 MB');
});

test('denies permissions and service workers to pages', async () => {
  const { id } = await bench().open('/rights');
  await expect.poll(async () => textOf(await bench().act(id, [{ op: 'snapshot' }])), { timeout: 30_000 }).toContain('title: denied denied denied denied kept');
  await bench().act(id, [{ op: 'goto', url: at('/plain') }]);
  expect(bench().site.requests.filter(({ path }) => path === '/sw.js')).toEqual([]);
});

test('starts the browser without its own UI pages and with all features disabled that the driver disables', async () => {
  await bench().open('/plain');
  const rows = browsers();
  expect(rows.filter((row) => row.includes('--top-chrome-webui'))).toEqual([]);
  const [drivers = [], ours = []] = [...(rows.find((row) => !row.includes('--type=')) ?? '').matchAll(/--disable-features=(\S+)/g)].map(([, names]) =>
    names?.split(','),
  );
  expect(drivers.length).toBeGreaterThan(5);
  expect(ours).toEqual(expect.arrayContaining(drivers));
});

test('returns the HTTP error status together with the page', async () => {
  const { text } = await bench().open('/missing');
  expect(text).toContain('HTTP status 404');
  expect(text).toContain('Not here');
});
