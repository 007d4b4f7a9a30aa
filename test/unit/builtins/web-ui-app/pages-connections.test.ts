// Tests the pure functions of the connections page and of the trust notice.
import { expect, test } from 'vitest';
import { accountTitle, accountWords } from '../../../../builtins/connections/integrations/ui/format-account.ts';
import { emptyMcpForm, mcpServerOf } from '../../../../builtins/connections/mcp/ui/mcp-form.ts';
import { apiDocumentOf, emptyApiForm } from '../../../../builtins/connections/openapi/ui/api-form.ts';
import { namePattern, statusWords } from '../../../../builtins/clients/web-ui/app/points/connections/connection-texts.ts';
import { trustTexts, unreadOf } from '../../../../builtins/clients/web-ui/app/chat/trust-texts.ts';

test('describes each state, shows an unknown one by name, and names an account by email, name or id', () => {
  expect(['connected', 'failed', 'needs_sign_in', 'needs_trust'].map((status) => statusWords(status).tone)).toEqual(['good', 'bad', 'warn', 'warn']);
  expect(statusWords('on_holiday')).toEqual({ text: 'on holiday', tone: '' });
  expect(statusWords('constructor')).toEqual({ text: 'constructor', tone: '' });
  const account = { accountId: '7', mode: 'read_only', healthy: true } as const;
  expect([{ ...account, email: 'a@b.example', name: 'A' }, { ...account, name: 'A' }, account].map(accountTitle)).toEqual(['a@b.example', 'A', '7']);
});

test('reports an account as working only if it is reachable, and a required sign-in first', () => {
  const words = (healthy: boolean, reachable?: boolean): string => accountWords({ healthy, ...(reachable === undefined ? {} : { reachable }) }).text;
  expect([words(true), words(true, true), words(true, false)]).toEqual(['Works', 'Works', 'Cannot be reached']);
  expect([words(false, true), words(false, false)]).toEqual(['Needs a new sign-in', 'Needs a new sign-in']);
});

test('splits arguments by line and sends the chosen credentials with a URL, none with a command', () => {
  const form = { ...emptyMcpForm, name: 'files', command: ' npx ', argumentLines: '-y\nserver name\r\n\n  two spaces', sign: 'bearer', token: 'x' } as const;
  expect(mcpServerOf(form)).toEqual({ name: 'files', command: 'npx', args: ['-y', 'server name', '  two spaces'] });
  const far = { ...emptyMcpForm, name: 'far', how: 'url', url: ' https://far.example/mcp ', token: 'left over' } as const;
  expect(mcpServerOf(far)).toEqual({ name: 'far', url: 'https://far.example/mcp' });
  expect(mcpServerOf({ ...far, sign: 'bearer', token: 't' })).toMatchObject({ auth: { kind: 'bearer', token: 't' } });
  expect(mcpServerOf({ ...far, autoApproveReads: true })).toMatchObject({ autoApproveReads: true });
  expect(mcpServerOf({ ...far, sign: 'oauth' })).toMatchObject({ auth: { kind: 'oauth' } });
});

test('sends a document as URL or text with the chosen credentials', () => {
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

test('uses a name pattern that is valid in browsers', () => {
  const pattern = new RegExp(`^(?:${namePattern})$`, 'v');
  expect(['a', 'my-api_2', 'Upper', '1st', ''].map((name) => pattern.test(name))).toEqual([true, true, false, false, false]);
});

test('describes the contents of a folder in one sentence and lists untrusted subjects unless dismissed unchanged', () => {
  const titles = (...all: string[]) => trustTexts(all.map((title) => ({ title })));
  expect(titles('1 MCP server')).toBe('This folder has 1 MCP server. Not used until you trust it.');
  expect(titles('1 MCP server', '2 files with instructions', 'x')).toBe(
    'This folder has 1 MCP server, 2 files with instructions and x. Not used until you trust it.',
  );
  const subject = (digest: string, isTrusted = false) => ({ title: '', digest, isTrusted });
  expect(unreadOf([subject('a'), subject('b', true), subject('c')], ['a']).map(({ digest }) => digest)).toEqual(['c']);
});
