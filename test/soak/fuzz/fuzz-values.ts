// Malicious and malformed texts, JSON, queries and headers.
import fc from 'fast-check';

const nastyTexts = [
  '',
  ' ',
  '\0',
  '\u0001\u001b[31m\u007f',
  '\ud800',
  '\udfff x \ud83d',
  '\u202e\ufeff\u2028',
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  '%00',
  '%zz',
  '__proto__',
  'constructor',
  'toString',
  '{{7*7}}',
  "'; DROP TABLE chats; --",
  '<script>alert(1)</script>',
  '*'.repeat(600),
  'é'.repeat(5_000),
  '(a+)+$',
  '[',
  'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  'all',
  '99999999999999999999',
  '-1',
  'NaN',
  'null',
];
export const nastyText = fc.oneof(fc.constantFrom(...nastyTexts), fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ unit: 'grapheme', maxLength: 40 }));
/** As JSON text, because `JSON.stringify` cannot produce all of it. */
export const nastyJson = fc.oneof(
  fc.constantFrom('null', 'true', '[]', '{}', '0', '-0', '1e308', '1e999', '-1e999', '0.1', '9007199254740993', '"\\ud800"', '[[[]]]', '{"":""}'),
  fc.constantFrom('['.repeat(200) + ']'.repeat(200), '{"a":'.repeat(90) + '1' + '}'.repeat(90), '{"__proto__":{"polluted":1}}'),
  nastyText.map((text) => JSON.stringify(text)),
  fc.json({ maxDepth: 3 }),
);
export const encode = (text: string): string => (/^@(chat|turn)\d$/.test(text) ? text : encodeURIComponent(Buffer.from(text).toString()));

export const oddQuery = fc.oneof(
  fc.constantFrom(
    'limit=1&limit=2',
    'limit[]=1',
    'chatId[$ne]=',
    'chatId=@chat0&chatId=@chat1',
    '%zz',
    '%00=%00',
    '&&&',
    '=',
    'limit=1e999',
    'limit=-1',
    '?',
    'since=',
  ),
  fc.constantFrom('since=99999999999999999999', 'since=0x10', 'before=999999999', 'authToken=wrong', '__proto__=1', '__proto__[x]=1', `q=${'x'.repeat(3_000)}`),
  fc.tuple(nastyText, nastyText).map(([name, value]) => `${encode(name)}=${encode(value)}`),
);
const headerText = fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f).map((code) => String.fromCharCode(code)), maxLength: 60 }); // prettier-ignore
export const oddHeaders = fc.oneof(
  fc.constantFrom<Record<string, string>>(
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': 'multipart/form-data; boundary=b' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': ';;;' },
    { 'content-type': 'application/JSON ; a=b' },
    { 'content-encoding': 'gzip' },
    { accept: 'text/plain;q=0' },
    { 'accept-encoding': '*;q=0, gzip' },
    { origin: 'null' },
    { origin: 'https://attacker.example' },
    { origin: 'not a url' },
    { 'if-none-match': '*' },
    { range: 'bytes=-1' },
    { 'last-event-id': '99999999999999999999' },
    { 'last-event-id': '-1' },
    { expect: 'the unexpected' },
    { upgrade: 'websocket', connection: 'upgrade' },
    { 'x-http-method-override': 'DELETE' },
    { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-host': 'attacker.example' },
    { authorization: 'Bearer wrong' },
    { authorization: 'Basic Og==' },
    { 'sec-fetch-site': 'cross-site' },
  ),
  fc.tuple(fc.constantFrom('accept', 'cookie', 'if-none-match', 'last-event-id', 'range', 'x-request-id', 'referer', 'user-agent'), headerText).map(([name, value]) => ({ [name]: value })), // prettier-ignore
);
