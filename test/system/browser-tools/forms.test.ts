import { link, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refOf, sessionOf, textOf, useBrowserBench } from './bench.ts';

const form = `<title>Form</title><h1>Sign up</h1>
<form method="post" action="/done">
  <label>Name <input name="name"></label>
  <label>Colour <select name="colour"><option value="r">Red</option><option value="g">Green</option></select></label>
  <label><input type="checkbox" name="news"> News</label>
  <label><input type="checkbox" name="spam" checked> Spam</label>
  <button>Send</button>
</form><a href="/second">Second page</a>`;

const bench = useBrowserBench({
  '/form': form,
  '/done': '<title>Done</title><p>Thank you</p>',
  '/second': '<title>Second</title><p>The second page</p><a href="/form">back to the form</a>',
  '/frame': '<title>Outer</title><iframe src="/inner"></iframe>',
  '/inner': '<button onclick="this.textContent=\'pressed\'">Inner button</button>',
  '/keys': '<input id="a" aria-label="Field" onkeydown="document.title = event.key"><p id="p">Some text</p>',
  '/late': '<p id="p">soon</p><script>setTimeout(() => (document.getElementById("p").textContent = "arrived"), 300)</script>',
  '/tall':
    '<div style="height:5000px">top</div><button>Bottom</button><script>addEventListener("scroll", () => (document.title = "at " + Math.round(scrollY)))</script>',
  '/upload': '<form method="post" enctype="multipart/form-data" action="/done"><input type="file" name="f" aria-label="File"><button>Send</button></form>',
  '/long': `<title>Long</title>${Array.from({ length: 3_000 }, (_, at) => `<p>Line ${at} of many</p>`).join('')}`,
});

test('fills in and submits a form with the element refs of the snapshot', async () => {
  const { id, text } = await bench().open('/form');
  expect(text).toContain('title: Form');
  const outcome = await bench().act(id, [
    { op: 'fill', ref: refOf(text, 'textbox "Name"'), text: 'Ada' },
    { op: 'select', ref: refOf(text, 'combobox'), text: 'Green' },
    { op: 'check', ref: refOf(text, 'checkbox "News"') },
    { op: 'uncheck', ref: refOf(text, 'checkbox "Spam"') },
    { op: 'click', ref: refOf(text, 'button "Send"') },
  ]);
  expect(outcome).toMatchObject({ ok: true, isUntrusted: true });
  expect(textOf(outcome)).toMatch(/5\. click e\d+ \(button "Send"\): ok/);
  expect(textOf(outcome)).toContain('Thank you');
  expect(bench().site.requests.find(({ path }) => path === '/done')).toMatchObject({ method: 'POST', body: 'name=Ada&colour=g&news=on' });
});

test('stops at the first failed action, names it, and explains a stale ref', async () => {
  const { id, text } = await bench().open('/form');
  const stale = refOf(text, 'textbox "Name"');
  const outcome = await bench().act(id, [{ op: 'goto', url: `${bench().site.url}/second` }, { op: 'fill', ref: stale, text: 'x' }, { op: 'back' }]);
  expect(outcome.ok).toBe(false);
  expect(textOf(outcome)).toContain('1. goto: ok');
  expect(textOf(outcome)).toContain(`The current page has no element ${stale}`);
  expect(textOf(outcome)).toContain('The 1 later actions were not run');
  expect(textOf(outcome)).toContain('The second page');
});

test('goes back and forward, and reports the missing parameter of an action', async () => {
  const { id } = await bench().open('/form');
  await bench().act(id, [{ op: 'goto', url: `${bench().site.url}/second` }]);
  expect(textOf(await bench().act(id, [{ op: 'back' }]))).toContain('title: Form');
  expect(textOf(await bench().act(id, [{ op: 'forward' }]))).toContain('title: Second');
  expect(textOf(await bench().act(id, [{ op: 'forward' }]))).toContain('There is no next page');
  for (const op of ['click', 'fill', 'hover', 'upload', 'goto', 'wait', 'press', 'select'])
    expect(textOf(await bench().act(id, [{ op }]))).toContain(`${op} needs`);
  expect(textOf(await bench().act('tab_999', [{ op: 'back' }]))).toContain('Page tab_999 is not open in this turn');
});

test('clicks elements inside frames by their ref', async () => {
  const { id, text } = await bench().open('/frame');
  const outcome = await bench().act(id, [{ op: 'click', ref: refOf(text, 'Inner button') }]);
  expect(textOf(outcome)).toContain('button "pressed"');
});

test('types, presses keys, reads, scrolls and waits on the page and on elements', async () => {
  const { id } = await bench().open('/keys');
  const keys = await bench().act(id, [
    { op: 'type', selector: '#a', text: 'hey' },
    { op: 'press', selector: '#a', text: 'F2' },
    { op: 'hover', selector: '#p' },
    { op: 'read', selector: '#p' },
    { op: 'read', selector: '#a' },
    { op: 'snapshot', selector: '#p' },
  ]);
  expect(textOf(keys)).toContain('title: F2');
  expect(textOf(keys)).toContain('read #p: ok\nSome text');
  expect(textOf(keys)).toContain('read #a: ok\nhey');
  const late = await bench().act(id, [
    { op: 'goto', url: `${bench().site.url}/late` },
    { op: 'wait', text: 'arrived' },
    { op: 'wait', ms: 10 },
  ]);
  expect(textOf(late)).toContain('arrived');
  const tall = await bench().act(id, [{ op: 'goto', url: `${bench().site.url}/tall` }, { op: 'scroll' }, { op: 'wait', ms: 200 }]);
  expect(textOf(tall)).toContain('title: at 720');
  expect(
    textOf(
      await bench().act(id, [
        { op: 'scroll', text: 'bottom' },
        { op: 'wait', ms: 200 },
      ]),
    ),
  ).toMatch(/title: at 4\d\d\d/);
  expect(textOf(await bench().act(id, [{ op: 'scroll', text: 'sideways' }]))).toContain('scroll takes up, down, top and bottom');
});

test('applies waitFor and size to the opened page', async () => {
  const { text, id } = await bench().open('/late', { waitFor: 'arrived', size: { width: 400, height: 300 } });
  expect(text).toContain('arrived');
  const shot = await bench().act(id, [{ op: 'screenshot' }]);
  const artifact = bench().artifacts.get(/artifact ([0-9a-f]{64})/.exec(textOf(shot))?.[1] ?? '');
  expect(
    Buffer.from(artifact ?? [])
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  expect([Buffer.from(artifact ?? []).readUInt32BE(16), Buffer.from(artifact ?? []).readUInt32BE(20)]).toEqual([400, 300]);
  expect(shot).toMatchObject({ ok: true, images: [{ mimeType: 'image/png' }] });
});

test('uploads files of the workspace and rejects all others', async () => {
  const { workspace } = bench().tools;
  await writeFile(join(workspace, 'a.txt'), 'the content');
  await mkdir(join(workspace, 'folder'));
  await symlink('/etc/passwd', join(workspace, 'link.txt'));
  const { id, text } = await bench().open('/upload');
  const ref = refOf(text, 'File');
  await writeFile(join(workspace, '..', 'outside.txt'), 'not theirs');
  await link(join(workspace, '..', 'outside.txt'), join(workspace, 'hard.txt'));
  for (const path of ['../x', '/etc/passwd', 'link.txt', 'folder', 'missing.txt', 'hard.txt']) {
    expect(textOf(await bench().act(id, [{ op: 'upload', ref, paths: [path] }]))).toMatch(/outside the workspace|is a folder|no file|hard link/);
  }
  const sent = await bench().act(id, [
    { op: 'upload', ref, paths: ['a.txt'] },
    { op: 'click', ref: refOf(text, 'Send') },
  ]);
  expect(textOf(sent)).toContain('a.txt, 11 bytes');
  expect(bench().site.requests.at(-1)?.body).toContain('the content');
});

test('rejects an upload if the file was replaced after the approval', async () => {
  const { tools, site } = bench();
  const at = (path: string): string => join(tools.workspace, path);
  await mkdir(at('mine'));
  await writeFile(at('mine/a.txt'), 'my content');
  await mkdir(at('../theirs'));
  await writeFile(at('../theirs/a.txt'), 'the secret');
  const { id, text } = await bench().open('/upload');
  const upload = { op: 'upload', ref: refOf(text, 'File'), paths: ['mine/a.txt'] };
  const actions = [upload, { op: 'click', ref: refOf(text, 'Send') }];
  expect(await tools.asks('browser_act', { sessionId: id, actions }, 'call_up')).toContain('mine/a.txt');
  await rename(at('mine'), at('aside'));
  await symlink(at('../theirs'), at('mine'));
  const refused = await tools.run('browser_act', { sessionId: id, actions }, { callId: 'call_up' });
  expect(textOf(refused)).toContain('moved or replaced');
  expect(site.requests.some(({ body }) => body.includes('the secret'))).toBe(false);
  // A new approval refers to the replaced file, which is outside the workspace.
  expect(textOf(await bench().act(id, actions))).toContain('outside the workspace');
  await rm(at('mine'));
  await rename(at('aside'), at('mine'));
  expect(textOf(await bench().act(id, actions))).toContain('a.txt, 10 bytes');
  expect(site.requests.at(-1)?.body).toContain('my content');
});

test('shortens a long page and stores the full text as an artifact', async () => {
  const { text, id } = await bench().open('/long');
  expect(text.length).toBeLessThan(21_000);
  const [, artifactId = ''] = /read_artifact ([0-9a-f]{64})/.exec(text) ?? [];
  expect(Buffer.from(bench().artifacts.get(artifactId) ?? []).toString()).toContain('Line 2999 of many');
  expect(textOf(await bench().act(id, [{ op: 'read' }]))).toContain('shortened; all');
});

test('returns the sessionId on the first line, before the page content', async () => {
  const { text, id } = await bench().open('/form');
  expect(sessionOf(text)).toBe(id);
  expect(text.startsWith(`sessionId: ${id}\n`)).toBe(true);
});
