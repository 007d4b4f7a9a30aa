import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicAddress } from '#lib/net';
import { openWeb } from './web-world.ts';
import { runs } from '../../../helpers/dice.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const closed = useAll(() => openWeb({ AGENT_WEB_FETCH_ALLOWED_HOSTS: '' }));
const open = useAll(() => openWeb({ AGENT_WEB_FETCH_RETRIES: '0' }));

const refused = { ok: false, error: expect.stringContaining('not a public address'), hint: expect.stringContaining('AGENT_WEB_FETCH_ALLOWED_HOSTS') };

test('rejects non-public addresses in any notation before sending a request', async () => {
  const port = closed.server.host.split(':')[1];
  const hosts = ['127.0.0.1', '127.1', '0x7f.1', '2130706433', '0177.0.0.1', '0', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '127.0.0.1.', '１２７.0.0.1', '10.0.0.1', '192.168.1.1', '172.16.0.1', '169.254.169.254', '100.64.0.1', '[fd00::1]', '[fe80::1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '224.0.0.1', '255.255.255.255', '192.0.2.1', '198.18.0.1']; // prettier-ignore
  for (const host of hosts) expect(await closed.fetch(`http://${host}:${port}/docs`), host).toMatchObject(refused);
  expect(closed.server.requests).toEqual([]);
});

test('checks the resolved address of a host name', async () => {
  const port = closed.server.host.split(':')[1];
  for (const scheme of ['http', 'https']) expect(await closed.fetch(`${scheme}://localhost:${port}/docs`)).toMatchObject(refused);
  expect(closed.server.requests).toEqual([]);
});

test('rejects a redirect to a non-public address', async () => {
  for (const [index, target] of ['http://127.0.0.1:1/x', 'http://169.254.169.254/latest/meta', 'http://localhost:1/', '//[::1]/'].entries()) {
    open.server.on(`/inwards${index}`, (_, response) => void response.writeHead(302, { location: target }).end());
    expect(await open.fetch(`/inwards${index}`), target).toMatchObject(refused);
  }
});

test('rejects a redirect to another scheme or with credentials', async () => {
  open.server.on('/file', (_, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end());
  open.server.on('/password', (_, response) => void response.writeHead(302, { location: `http://me:secret@${open.server.host}/` }).end());
  expect(await open.fetch('/file')).toMatchObject({ ok: false, error: expect.stringContaining('Only http and https') });
  expect(await open.fetch('/password')).toMatchObject({ ok: false, error: expect.stringContaining('name or password') });
});

test('accepts only http and https URLs without credentials', async () => {
  for (const url of ['file:///etc/passwd', 'ftp://example.com/', 'http://me:secret@example.com/', 'http://', 'https://exa mple/']) {
    expect(await closed.fetch(url), url).toMatchObject({ ok: false, hint: expect.any(String) });
  }
  expect(await closed.world.run('web_fetch', { url: 'javascript:alert(1)' })).toMatchObject({ ok: false });
  expect(await closed.world.run('web_fetch', { url: '127.0.0.1/no/scheme' })).toMatchObject(refused);
});

test('AGENT_WEB_FETCH_ALLOWED_HOSTS: allows only the listed host and port', async () => {
  expect(await open.fetch('/docs')).toMatchObject({ ok: true });
  expect(await open.fetch('http://127.0.0.1:1/')).toMatchObject(refused);
  const byName = await openWeb({ AGENT_WEB_FETCH_ALLOWED_HOSTS: 'example.org, LOCALHOST' });
  expect(await byName.fetch(`http://localhost:${byName.server.host.split(':')[1]}/docs`)).toMatchObject({ ok: true });
  expect(await byName.fetch('/docs')).toMatchObject(refused);
});

test('reports an unknown host', async () => {
  const outcome = await closed.fetch('http://no-such-host.invalid/');
  expect(outcome).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^Unknown host no-such-host\.invalid\.|^no-such-host\.invalid could not be read: /),
  });
});

test('classifies public addresses and special-purpose ranges', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001:81b::200e'])
    expect(isPublicAddress(address), address).toBe(true);
  for (const address of ['', 'example.com', '::', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '2001:db8::1', '2001::1', 'ff02::1', 'fec0::1', '100::1', '5f00::1']) expect(isPublicAddress(address), address).toBe(false); // prettier-ignore
  const byte = fc.integer({ min: 0, max: 255 });
  const first = fc.constantFrom(0, 10, 127, 224, 239, 240, 255);
  fc.assert(
    fc.property(first, byte, byte, byte, (a, b, c, d) => !isPublicAddress(`${a}.${b}.${c}.${d}`) && !isPublicAddress(`::ffff:${a}.${b}.${c}.${d}`)),
    runs(200),
  );
});
