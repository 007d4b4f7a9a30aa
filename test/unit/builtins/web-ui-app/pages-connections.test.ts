// The pure parts of the connections page and of the line about trust.
import { expect, test } from 'vitest';
import { accountTitle, accountWords } from '../../../../builtins/connections/integrations/ui/account-words.ts';
import { emptyMcpForm, mcpServerOf } from '../../../../builtins/connections/mcp/ui/mcp-form.ts';
import { apiDocumentOf, emptyApiForm } from '../../../../builtins/connections/openapi/ui/api-form.ts';
import { namePattern, statusWords } from '../../../../builtins/clients/web-ui/app/points/connections/connection-words.ts';
import { trustWords, unreadOf } from '../../../../builtins/clients/web-ui/app/chat/trust-words.ts';

test('each state has words, and one that is not known is said as it is', () => {
  expect(['connected', 'failed', 'needs_sign_in', 'needs_trust'].map((status) => statusWords(status).tone)).toEqual(['good', 'bad', 'warn', 'warn']);
  expect(statusWords('on_holiday')).toEqual({ text: 'on holiday', tone: '' });
  expect(statusWords('constructor')).toEqual({ text: 'constructor', tone: '' });
});

test('an account is called by what its provider says of it', () => {
  const account = { accountId: '7', mode: 'read_only', healthy: true } as const;
  expect([{ ...account, email: 'a@b.example', name: 'A' }, { ...account, name: 'A' }, account].map(accountTitle)).toEqual(['a@b.example', 'A', '7']);
});

test('an account works only where its token could be refreshed; a sign-in that it needs is said first', () => {
  const words = (healthy: boolean, reachable?: boolean): string => accountWords({ healthy, ...(reachable === undefined ? {} : { reachable }) }).text;
  expect([words(true), words(true, true), words(true, false)]).toEqual(['Works', 'Works', 'Cannot be reached']);
  expect([words(false, true), words(false, false)]).toEqual(['Needs a new sign-in', 'Needs a new sign-in']);
});

test('arguments are the lines as they are, and a command carries no sign-in', () => {
  const form = { ...emptyMcpForm, name: 'files', command: ' npx ', argumentLines: '-y\nserver name\r\n\n  two spaces', sign: 'bearer', token: 'x' } as const;
  expect(mcpServerOf(form)).toEqual({ name: 'files', command: 'npx', args: ['-y', 'server name', '  two spaces'] });
});

test('an address carries the sign-in that was chosen', () => {
  const form = { ...emptyMcpForm, name: 'far', how: 'url', url: ' https://far.example/mcp ', token: 'left over' } as const;
  expect(mcpServerOf(form)).toEqual({ name: 'far', url: 'https://far.example/mcp' });
  expect(mcpServerOf({ ...form, sign: 'bearer', token: 't' })).toMatchObject({ auth: { kind: 'bearer', token: 't' } });
  expect(mcpServerOf({ ...form, autoApproveReads: true })).toMatchObject({ autoApproveReads: true });
  expect(mcpServerOf({ ...form, sign: 'oauth' })).toMatchObject({ auth: { kind: 'oauth' } });
});

test('a document comes from its address or as text, with the credentials that were chosen', () => {
  const form = { ...emptyApiForm, name: 'weather', specUrl: 'https://w.example/api.json ', spec: '{}' };
  expect(apiDocumentOf(form)).toEqual({ name: 'weather', specUrl: 'https://w.example/api.json' });
  expect(apiDocumentOf({ ...form, from: 'text', baseUrl: 'https://w.example', sign: 'basic', signName: 'me', secret: 's' })).toEqual({
    name: 'weather',
    spec: '{}',
    baseUrl: 'https://w.example',
    auth: { kind: 'basic', user: 'me', password: 's' },
  });
  expect(apiDocumentOf({ ...form, sign: 'header', signName: 'X-Key', secret: 's' }).auth).toEqual({ kind: 'header', name: 'X-Key', value: 's' });
  expect(apiDocumentOf({ ...form, sign: 'bearer', secret: 's' }).auth).toEqual({ kind: 'bearer', token: 's' });
});

test('the pattern of names is one that browsers accept', () => {
  const pattern = new RegExp(`^(?:${namePattern})$`, 'v');
  expect(['a', 'my-api_2', 'Upper', '1st', ''].map((name) => pattern.test(name))).toEqual([true, true, false, false, false]);
});

test('what a folder brings is one sentence', () => {
  const titles = (...all: string[]) => trustWords(all.map((title) => ({ title })));
  expect(titles('1 MCP server')).toBe('This folder has 1 MCP server. Not used until you trust it.');
  expect(titles('1 MCP server', '2 files with instructions', 'x')).toBe(
    'This folder has 1 MCP server, 2 files with instructions and x. Not used until you trust it.',
  );
});

test('what is trusted or was dismissed is not said again; what changed is', () => {
  const subject = (digest: string, isTrusted = false) => ({ title: '', digest, isTrusted });
  expect(unreadOf([subject('a'), subject('b', true), subject('c')], ['a']).map(({ digest }) => digest)).toEqual(['c']);
});
