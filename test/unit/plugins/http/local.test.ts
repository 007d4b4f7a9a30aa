import { execFile } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findSocket, isPerson } from '../../../../plugins/http/local-peer.ts';
import { whyNot } from '../../builtins/shell/sandbox-tests.ts';
import { printReply, runOutside } from '../../../helpers/unrelated-process.ts';
import { openHttp, routes, type OpenHttp } from './open-http.ts';

let http: OpenHttp;
beforeAll(async () => {
  const where = routes({ key: 'GET /api/where', auth: 'open', handle: ({ isLocal, peer }) => ({ isLocal, peer }) });
  http = await openHttp({ where }, { environment: { AGENT_WEB_ALLOWED_HOSTS: 'box.lan', AGENT_WEB_CORS_ORIGINS: 'https://friend.example' } });
});
afterAll(() => http.close());

const isLocal = async (headers: Record<string, string>): Promise<unknown> => {
  const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', String(http.port))]));
  return (await http.ask('/api/where', { token: false, headers: filled })).body.isLocal;
};

test.each([
  ['no browser', {}],
  ['our own page', { origin: 'http://127.0.0.1:PORT', 'sec-fetch-site': 'same-origin' }],
  ['an address typed into a browser', { 'sec-fetch-site': 'none' }],
  ['our page under another loopback name', { host: 'localhost:PORT', origin: 'http://localhost:PORT' }],
])('a request on this machine is local: %s', async (_, headers) => {
  expect(await isLocal(headers)).toBe(true);
  expect((await http.ask('/api/where')).body.peer).toBe('127.0.0.1');
});

test.each([
  ['a link on a foreign page', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }],
  ['an allowed foreign origin', { origin: 'https://friend.example' }],
  ['our page under another name than in the request', { origin: 'http://localhost:PORT' }],
  ['a name on the network', { host: 'box.lan' }],
  ['a request with X-Forwarded-For', { 'x-forwarded-for': '203.0.113.7' }],
  ['a request with Forwarded', { forwarded: 'for=203.0.113.7' }],
  ...[
    ...['cf-connecting-ip', 'cf-ray', 'true-client-ip', 'x-client-ip', 'x-real-ip', 'x-forwarded-server', 'x-envoy-external-address', 'x-original-host'],
    ...['fastly-client-ip', 'via'],
  ].map((name): [string, Record<string, string>] => [`something that says ${name}`, { [name]: '203.0.113.7' }]),
])('a request is not local: %s', async (_, headers) => {
  expect(await isLocal(headers)).toBe(false);
});

test('an HTTP/1.0 request without forwarding headers is not local', async () => {
  const socket = connect(http.port, '127.0.0.1');
  socket.write(`GET /api/where HTTP/1.0\r\nHost: localhost:${http.port}\r\n\r\n`);
  expect(await readAll(socket)).toContain('"isLocal":false');
});

const header = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const row = (local: string, remote: string, state: string, uid: number): string =>
  `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 12345 1\n`;
const ends = { local: { address: '127.0.0.1', port: 0xabcd }, remote: { address: '127.0.0.1', port: 3001 } };

const uidIn = (...args: Parameters<typeof findSocket>): number | undefined => findSocket(...args)?.uid;

test('finds the owner of a connection in the socket table, for IPv4 and IPv6 notation', () => {
  expect(uidIn(header + row('0100007F:ABCD', '0100007F:0BB9', '01', 1000), ends)).toBe(1000);
  expect(uidIn(header + row('0000000000000000FFFF00000100007F:ABCD', '0000000000000000FFFF00000100007F:0BB9', '01', 1001), ends)).toBe(1001);
  const sixes = { local: { address: '::1', port: 0xabcd }, remote: { address: '::1', port: 3001 } };
  const one = '00000000000000000000000001000000';
  expect(uidIn(header + row(`${one}:ABCD`, `${one}:0BB9`, '01', 1002), sixes)).toBe(1002);
});

test('ignores the reverse direction, other ports and closed connections', () => {
  expect(uidIn(header + row('0100007F:0BB9', '0100007F:ABCD', '01', 0), ends)).toBeUndefined();
  expect(uidIn(header + row('0100007F:ABCE', '0100007F:0BB9', '01', 0), ends)).toBeUndefined();
  expect(uidIn(header + row('0100007F:ABCD', '0100007F:0BB9', '06', 0), ends)).toBeUndefined();
});

test('a closed socket does not belong to the user', () => {
  expect(isPerson({} as Socket, { isOurs: () => false }, 'linux')).toBe(false);
});

const canSwitchUser = process.platform === 'linux' && process.getuid?.() === 0;
test.runIf(canSwitchUser)('a request by another user of this machine is not local, one by the same user is', async () => {
  const askAs = async (uid: number): Promise<unknown> => JSON.parse(await runOutside(printReply(`${http.url}/api/where`), uid));
  expect(await askAs(65_534)).toMatchObject({ isLocal: false });
  expect(await askAs(0)).toMatchObject({ isLocal: true });
});

const isLinux = process.platform === 'linux';
const ask = (more = ''): string =>
  `${more}fetch('${http.url}/api/where').then((reply) => reply.json()).then((body) => process.stdout.write(String(body.isLocal)))`;
const children: readonly (readonly [what: string, file: string, args: (code: string) => string[]])[] = [
  ['a child process of the server', process.execPath, (code) => ['-e', code]],
  ['a grandchild process of the server', '/bin/sh', (code) => ['-c', '"$0" -e "$1"; true', process.execPath, code]],
  ['a process in its own session without an environment', '/bin/sh', (code) => ['-c', 'setsid env -i "$0" -e "$1"', process.execPath, code]],
];
test.runIf(isLinux).each(children)('%s is not the user', async (_, file, args) => {
  expect((await promisify(execFile)(file, args(ask()))).stdout).toBe('false');
});

test.runIf(isLinux)('an orphaned process with the environment marker of a command is not the user, one without it is', async () => {
  const { environment } = http.kernel.resolve('processes').createMark();
  expect(await runOutside(ask())).toBe('true');
  expect(await runOutside(ask(), undefined, environment)).toBe('false');
});

test.runIf(isLinux && whyNot === undefined)('a sandboxed process is not the user', async () => {
  const asked = JSON.stringify(ask());
  const sandboxed = `require('child_process').execFile('bwrap', ['--unshare-pid', '--ro-bind', '/', '/', '--proc', '/proc', process.execPath, '-e', ${asked}], (_, text) => process.stdout.write(text))`;
  expect(await runOutside(sandboxed)).toBe('false');
});
