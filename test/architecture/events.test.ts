import { expect, test } from 'vitest';
import { importsOf, readSources } from '../helpers/sources.ts';
import { eventSchemas } from '../../plugins/transcript/events.ts';

const sources = readSources('kernel', 'plugins', 'builtins');

test('what events mean is pure: it runs nothing but itself, and TypeBox for the schemas', () => {
  const own = sources.filter(({ path }) => path.startsWith('plugins/transcript/'));
  const faults = own.flatMap((source) =>
    importsOf(source).flatMap(({ from, isTypeOnly }) => (isTypeOnly || from.startsWith('./') || from === 'typebox' ? [] : [`${source.path} runs ${from}`])),
  );
  expect(own.length).toBeGreaterThan(0);
  expect(faults).toEqual([]);
});

test('on the server, nobody but the library tells the events of a chat apart by name', () => {
  // Other unions have kinds of these names, too.
  const common = new Set(['text', 'error']);
  const kinds = Object.keys(eventSchemas)
    .filter((kind) => !common.has(kind))
    .join('|');
  const matched = new RegExp(`kind === '(?:${kinds})'|"kind":"(?:${kinds})"`);
  // Each needs one fact of a line that is not what people see: where a turn ends, a first message, an output that is cut.
  const known = new Set(['plugins/chats/event-log.ts', 'plugins/chats/fork-chat.ts', 'plugins/chats/scan-journal.ts']);
  const server = sources.filter(({ path }) => !path.startsWith('plugins/transcript/') && !path.startsWith('builtins/clients/'));
  const found = server.filter(({ text }) => matched.test(text)).map(({ path }) => path);
  expect(found.filter((path) => !known.has(path))).toEqual([]);
});
