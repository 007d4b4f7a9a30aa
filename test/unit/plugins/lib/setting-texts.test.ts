// Tests the normalization of pasted addresses, keys and host lists.
import { expect, test } from 'vitest';
import { normalizeBaseUrl, normalizeHeaderValue, normalizeHosts, normalizeKey, normalizeSite } from '#lib/setting-texts';

const address = 'must be an http or https address, such as https://api.example.com/v1 or http://localhost:11434/v1.';

test.each([
  ['https://api.example.com/v1', 'https://api.example.com/v1'],
  ['  https://api.example.com/v1\r\n', 'https://api.example.com/v1'],
  ['"https://api.example.com/v1"', 'https://api.example.com/v1'],
  ['“https://api.example.com/v1”', 'https://api.example.com/v1'],
  ['\ufeffhttps://api.example.com/v1\u200b', 'https://api.example.com/v1'],
  ['HTTPS://API.example.com/v1//', 'https://api.example.com/v1'],
  ['https://api.example.com/v1?x=1#top', 'https://api.example.com/v1'],
  ['https://api.example.com/v1/chat/completions', 'https://api.example.com/v1'],
  ['https://api.example.com/v1/chat/completions/?x=1', 'https://api.example.com/v1'],
  ['https://api.example.com/v1/messages', 'https://api.example.com/v1'],
  ['https://api.example.com/v1/responses/', 'https://api.example.com/v1'],
  ['https://api.example.com/v1/audio/speech', 'https://api.example.com/v1'],
  ['https://user:pass@api.example.com/v1', 'https://user:pass@api.example.com/v1'],
  ['api.example.com/v1', 'https://api.example.com/v1'],
  ['api.example.com:8443', 'https://api.example.com:8443'],
  ['8.8.8.8/v1', 'https://8.8.8.8/v1'],
  ['172.32.0.1', 'https://172.32.0.1'],
  ['[2001:db8::1]:8080/v1', 'https://[2001:db8::1]:8080/v1'],
  ['localhost:4253/v1', 'http://localhost:4253/v1'],
  ['my.localhost', 'http://my.localhost'],
  ['gpu-box.local:8000', 'http://gpu-box.local:8000'],
  ['ollama:11434', 'http://ollama:11434'],
  ['127.1:1234/v1', 'http://127.0.0.1:1234/v1'],
  ['10.1.2.3', 'http://10.1.2.3'],
  ['172.16.0.1/v1', 'http://172.16.0.1/v1'],
  ['172.31.255.255', 'http://172.31.255.255'],
  ['192.168.1.7:80/v1', 'http://192.168.1.7/v1'],
  ['169.254.1.1', 'http://169.254.1.1'],
  ['[::1]:8080/v1', 'http://[::1]:8080/v1'],
  ['[fd12::1]/v1', 'http://[fd12::1]/v1'],
  ['[fe80::1]', 'http://[fe80::1]'],
  ['  " " ', ''],
])('the base URL %j is normalized to %j', (text, expected) => {
  expect(normalizeBaseUrl(text)).toBe(expected);
  expect(normalizeBaseUrl(expected)).toBe(expected);
});

test.each([
  ...['ftp://example.com', 'file:///etc/passwd', 'ws://example.com', 'mailto:a@example.com', 'javascript:alert(1)', 'http:/example.com', 'https:example.com'],
  ...[
    ...['http://', '/v1', '//example.com', 'C:\\models', 'http://exa mple.com', 'https://example.com/a\nb', 'example.com:99999', 'http://a\u200bb.example'],
    '::1',
  ],
])('rejects %j as an address', (text) => {
  expect(() => normalizeBaseUrl(text)).toThrow(address);
});

test('a site address keeps its path', () => {
  expect(normalizeSite('hub.example.com/messages/')).toBe('https://hub.example.com/messages');
});

test.each([
  ['sk-a', 'sk-a'],
  [' sk-a\r\n', 'sk-a'],
  ['"sk-a"', 'sk-a'],
  ['‘sk-a’', 'sk-a'],
  ['\ufeffsk-a\u200b', 'sk-a'],
  ['Bearer sk-a', 'sk-a'],
  ['bearer  "sk-a"', 'sk-a'],
  ['"Bearer sk-a"\n', 'sk-a'],
  ['  ', ''],
])('the key %j is normalized to %j', (text, expected) => {
  expect(normalizeKey(text)).toBe(expected);
});

test.each([
  ['sk-a\u200bb', 'U+200B at position 5'],
  ['sk-a\nb', 'U+000A at position 5'],
  ['sk-a b', 'U+0020 at position 5'],
  [' sk-ä', 'U+00E4 at position 4'],
  ['a”b', 'U+201D at position 2'],
  ['ab🔑', 'U+1F511 at position 3'],
])('rejects the key %j for its character %s', (text, found) => {
  expect(() => normalizeKey(text)).toThrow(`has the character ${found}, which cannot be sent in a header.`);
});

test.each([
  ['localhost:8080, NAS.local', 'localhost:8080,nas.local'],
  ['[::1]:8080', '[::1]:8080'],
  ['localhost:80,', 'localhost:80'],
  ['', ''],
])('the host list %j is normalized to %j', (text, expected) => {
  expect(normalizeHosts(text)).toBe(expected);
});

test.each(['http://localhost', 'localhost/path', '*.example.com', 'a b', 'localhost:x', 'user@host', 'a;b c'])('rejects %j as a host list', (text) => {
  expect(() => normalizeHosts(text)).toThrow('must be a comma-separated list of host names');
});

test('a header value keeps its content without surrounding whitespace and line breaks', () => {
  expect(normalizeHeaderValue(' Bearer a b\r\n')).toBe('Bearer a b');
  expect(() => normalizeHeaderValue('a\u2028b')).toThrow('has the character U+2028 at position 2, which cannot be sent in a header.');
});
