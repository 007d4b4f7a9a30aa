// Tests the routes that show a workspace: folders, files, and sandboxed pages behind a ticket.
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTickets } from '../../../../builtins/tools/files/viewing/tickets.ts';
import { startHarness, useEach, useFolder } from '../../../helpers/in-process.ts';

const workspace = useFolder('view-work-');
const harness = useEach(() => startHarness({ builtins: ['files'], workspace }));

const at = (path: string): string => join(workspace, path);
const folder = async (path?: string): Promise<any> =>
  harness.call('GET', `/api/workspace/folder${path === undefined ? '' : `?path=${encodeURIComponent(path)}`}`);
const code = (reply: any): [number, string] => [reply.status, reply.body.error.code];

test('lists folders first, with sizes and ignored entries marked, without links and the repository folder', async () => {
  await mkdir(at('src'));
  await mkdir(at('.git'));
  await mkdir(at('out'));
  await writeFile(at('.gitignore'), 'out/\n*.log\n');
  await writeFile(at('b.txt'), 'hello');
  await writeFile(at('a.log'), '');
  await symlink('/etc', at('link'));
  expect((await folder()).body).toEqual({
    entries: [
      { name: 'out', kind: 'folder', isIgnored: true },
      { name: 'src', kind: 'folder' },
      { name: '.gitignore', kind: 'file', bytes: 11 },
      { name: 'a.log', kind: 'file', bytes: 0, isIgnored: true },
      { name: 'b.txt', kind: 'file', bytes: 5 },
    ],
    more: 0,
  });
  expect((await folder('src')).body.entries).toEqual([]);
  expect(code(await folder('b.txt'))).toEqual([404, 'no_file']);
  expect(code(await folder('none'))).toEqual([404, 'no_file']);
  for (const path of ['..', '/etc', 'link', '/proc', 'a\0b']) expect(code(await folder(path)), path).toEqual([403, 'outside']);
});

test('serves a file as inert content up to a size limit, and no file outside the workspace', async () => {
  await writeFile(at('page.html'), '<script>alert(1)</script>');
  await writeFile(at('pic.bin'), Buffer.from([1, 0, 2]));
  await writeFile(at('huge.txt'), '');
  await truncate(at('huge.txt'), 11 * 1024 * 1024);
  await symlink('/etc/hostname', at('host'));
  const file = (path: string) =>
    fetch(`${harness.url}/api/workspace/file?path=${encodeURIComponent(path)}`, { headers: { authorization: `Bearer ${harness.token}` } });
  const page = await file('page.html');
  expect(await page.text()).toBe('<script>alert(1)</script>');
  expect(page.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toContain('sandbox');
  expect((await file('pic.bin')).headers.get('content-type')).toBe('application/octet-stream');
  expect(code(await harness.call('GET', '/api/workspace/file?path=huge.txt'))).toEqual([413, 'too_large']);
  expect(code(await harness.call('GET', '/api/workspace/file?path=none.txt'))).toEqual([404, 'no_file']);
  expect(code(await harness.call('GET', '/api/workspace/file?path=.'))).toEqual([404, 'no_file']);
  for (const path of ['host', '../x', join(harness.home, 'preferences.json')]) {
    expect(code(await harness.call('GET', `/api/workspace/file?path=${encodeURIComponent(path)}`)), path).toEqual([403, 'outside']);
  }
});

test('serves a page by its ticket without origin and network, with scripts only on request', async () => {
  await writeFile(at('page.html'), '<h1>Hi</h1>');
  const issue = async (body: object): Promise<any> => (await harness.call('POST', '/api/workspace/preview', body)).body;
  const { address } = await issue({ path: 'page.html' });
  const look = (where: string, headers: Record<string, string> = {}) => fetch(`${harness.url}${where}`, { headers });
  const plain = await look(address, { 'sec-fetch-dest': 'iframe' });
  expect(await plain.text()).toBe('<h1>Hi</h1>');
  const policy = plain.headers.get('content-security-policy') ?? '';
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining(['sandbox', "default-src 'none'", "script-src 'none'", "form-action 'none'", "frame-ancestors 'self'"]),
  );
  expect(policy).not.toContain('allow-same-origin');
  const scripted = (await look((await issue({ path: 'page.html', scripts: true })).address)).headers.get('content-security-policy');
  expect(scripted).toContain('sandbox allow-scripts;');
  expect(scripted).not.toContain('connect-src');
  // Two policies apply: a script must pass both.
  const [first = '', second = ''] = scripted?.split(', ') ?? [];
  expect(first.split('; ')).toEqual(expect.arrayContaining(["script-src 'unsafe-inline'", "webrtc 'block'"]));
  expect(second).toMatch(/^script-src-elem 'nonce-[\w-]{22}'; script-src-attr 'unsafe-inline'$/);
  expect(policy.split('; ')).toContain("webrtc 'block'");
  // As a top-level page it could navigate elsewhere with its data.
  expect((await look(address, { 'sec-fetch-dest': 'document' })).status).toBe(404);
  expect(code(await harness.call('GET', '/api/workspace/preview/none'))).toEqual([404, 'no_preview']);
  await writeFile(at('pic.bin'), Buffer.from([0]));
  expect(code(await harness.call('POST', '/api/workspace/preview', { path: 'pic.bin' }))).toEqual([415, 'not_shown']);
});

test('a ticket expires after ten minutes', () => {
  let now = 0;
  const tickets = createTickets(() => now);
  const { id, expiresAt } = tickets.issue({ workspaceRoot: '/w', path: 'a.html', hasScripts: false });
  expect(expiresAt).toBe('1970-01-01T00:10:00.000Z');
  now = 599_999;
  expect(tickets.find(id)).toMatchObject({ path: 'a.html' });
  now = 600_000;
  expect(tickets.find(id)).toBeUndefined();
});
