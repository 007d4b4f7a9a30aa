import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startGate } from '../../../builtins/tools/browser/gate.ts';
import { judgeTarget } from '../../../builtins/tools/browser/targets.ts';
import { browsers, textOf, useBrowserBench } from './bench.ts';
import { startSite } from './site.ts';

const rtc = `<title>calling</title><script>
  const call = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:' + location.search.slice(1) }] });
  call.createDataChannel('x');
  call.onicegatheringstatechange = () => call.iceGatheringState === 'complete' && (document.title = 'gathered');
  call.createOffer().then((offer) => call.setLocalDescription(offer));
</script>`;

const bench = useBrowserBench({
  '/rtc': rtc,
  '/': '<title>Home</title>',
  '/redirect': (request, response) => void response.writeHead(302, { location: new URL(request.url ?? '', 'http://x').searchParams.get('to') ?? '' }).end(),
  '/parts': (request, response) => {
    const other = new URL(request.url ?? '', 'http://x').searchParams.get('to') ?? '';
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Parts</title><img src="${other}/picture"><iframe src="${other}/frame"></iframe>
      <script>fetch('${other}/fetch', { mode: 'no-cors' }).catch(() => undefined); new WebSocket('${other.replace('http', 'ws')}/socket'); navigator.sendBeacon('${other}/beacon', 'x');</script>`);
  },
  '/socket': `<title>waiting</title><script>const socket = new WebSocket(location.origin.replace('http', 'ws') + '/ws'); socket.onerror = () => (document.title = 'asked')</script>`,
  '/echo': (request, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(JSON.stringify(request.headers)),
});

test('checks the resolved addresses of a host name, unless the settings allow the host', async () => {
  expect(await judgeTarget('localhost', 80, '')).toMatchObject({ isRefused: true });
  expect(await judgeTarget('LOCALHOST.', 80, 'localhost')).toHaveProperty('addresses');
  expect(await judgeTarget('localhost', 80, 'localhost:81, other')).toMatchObject({ isRefused: true });
  expect(await judgeTarget('[::1]', 8080, '[::1]:8080')).toHaveProperty('addresses');
  expect(await judgeTarget('127.1', 80, '')).toMatchObject({ isRefused: true });
  expect(await judgeTarget('0x7f000001', 80, '')).toMatchObject({ isRefused: true });
  expect(await judgeTarget('no-such-name.invalid', 80, '')).toMatchObject({ isRefused: false });
});

test('rejects non-web and private addresses before any approval', async () => {
  for (const url of [
    'file:///etc/passwd',
    'chrome://crash',
    'chrome://settings',
    'javascript:alert(1)',
    'data:text/html,x',
    'view-source:http://example.org',
    'about:version',
    'ftp://x',
    'nonsense',
  ]) {
    expect(await bench().tools.error('browser_open', { url })).toContain('is not an http or https URL');
  }
  for (const url of [
    'http://localhost/',
    'http://[::1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://2130706433/',
    'http://0/',
    `http://127.0.0.1:${bench().site.port + 1}/`,
  ]) {
    expect(await bench().tools.error('browser_open', { url })).toContain('AGENT_BROWSER_ALLOWED_HOSTS');
  }
  const { id } = await bench().open('/');
  expect(textOf(await bench().act(id, [{ op: 'goto', url: 'file:///etc/passwd' }]))).toContain('is not an http or https URL');
  expect(await bench().tools.output('browser_open', { url: 'about:blank' })).toContain('about:blank');
});

test('rejects a redirect to a private address', async () => {
  const secret = await startSite({ '/': '<p>secret</p>' });
  try {
    const error = await bench().tools.error('browser_open', { url: `${bench().site.url}/redirect?to=${secret.url}/` });
    expect(error).toContain('The URL leads to a host that pages may not load');
    expect(error).toContain('A request was refused: 127.0.0.1 is a private');
    const https = await bench().tools.error('browser_open', { url: `${bench().site.url}/redirect?to=https://127.0.0.1:${secret.port}/` });
    expect(https).toContain('The URL leads to a host that pages may not load');
    expect(secret.connections).toBe(0);
  } finally {
    await secret.close();
  }
});

test('blocks image, frame, fetch, socket and beacon requests to private addresses', async () => {
  const secret = await startSite({});
  try {
    const { text, id } = await bench().open(`/parts?to=${secret.url}`);
    const later = textOf(await bench().act(id, [{ op: 'wait', ms: 500 }]));
    expect(text + later).toContain('A request was refused: 127.0.0.1 is a private');
    expect(secret.connections).toBe(0);
  } finally {
    await secret.close();
  }
});

test('blocks UDP traffic that bypasses the proxy', async () => {
  const received: Buffer[] = [];
  const socket = createSocket('udp4', (message) => received.push(message)).bind(0, '127.0.0.1');
  await once(socket, 'listening');
  try {
    const { id } = await bench().open(`/rtc?${socket.address().port}`);
    await expect.poll(async () => textOf(await bench().act(id, [{ op: 'snapshot' }])), { timeout: 30_000 }).toContain('title: gathered');
    expect(received).toEqual([]);
  } finally {
    socket.close();
  }
});

test('proxies WebSockets and does not expose proxy headers to sites', async () => {
  const { id } = await bench().open('/socket');
  await expect.poll(async () => textOf(await bench().act(id, [{ op: 'snapshot' }])), { timeout: 30_000 }).toContain('title: asked');
  expect(bench().site.requests.find(({ path }) => path === '/ws')?.headers.upgrade).toBe('websocket');
  const { text } = await bench().open('/echo');
  expect(text).not.toMatch(/proxy-/i);
  expect(browsers().filter((row) => row.includes('--proxy-server=http://127.0.0.1:')).length).toBeGreaterThan(0);
});

test('rejects proxy clients without the password', async () => {
  const before = bench().site.requests.length;
  const gate = await startGate(() => '127.0.0.1');
  try {
    const { port } = new URL(gate.url);
    for (const head of [`CONNECT 127.0.0.1:${bench().site.port} HTTP/1.1\r\nHost: x\r\n\r\n`, `GET ${bench().site.url}/ HTTP/1.1\r\nHost: x\r\n\r\n`]) {
      const answer = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), '127.0.0.1', () => socket.write(head));
        socket.once('data', (chunk: Buffer) => resolve(chunk.toString()));
        socket.once('error', reject);
      });
      expect(answer).toContain('407');
    }
    expect(bench().site.requests.length).toBe(before);
  } finally {
    await gate.close();
  }
});
