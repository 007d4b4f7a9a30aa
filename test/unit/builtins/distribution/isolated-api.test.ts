// Tests that the guide lists exactly the hooks and services of an isolated plugin, and that all others are refused.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isolatedHooks, isolatedMethods } from '../../../../builtins/distribution/plugin-host/allowed-api.ts';
import { grown, readCapabilities, refuseForeign } from '../../../../builtins/distribution/plugin-host/capabilities.ts';
import { root } from '../../../helpers/sources.ts';

const guide = readFileSync(join(root, 'docs/guides/write-a-plugin.md'), 'utf8').replaceAll(/\s+/g, ' ');
const between = (start: string, end: string): string => guide.slice(guide.indexOf(start), guide.indexOf(end, guide.indexOf(start)));
const named = (text: string): string[] => [...text.matchAll(/`([a-zA-Z_.]+)`/g)].map(([, name = '']) => name);

test('the guide lists all hooks and methods', () => {
  expect(named(between('It may tap these hooks:', '. It receives')).sort()).toEqual([...isolatedHooks].sort());
  const services = [...between('It may use these services:', '. Each method').matchAll(/`(\w+)` \(([^)]*)\)/g)];
  expect(services.flatMap(([, service, methods = '']) => named(methods).map((method) => `${service}.${method}`))).toEqual([...isolatedMethods]);
});

test.each([
  'approval.judge',
  'approval.answer',
  'model.route',
  'model.request',
  'tool.run',
  'tool.prepare',
  'turn.intercept',
  'message.guard',
  'settings.before',
  'chat.erase',
  '__proto__',
])('refuses the hook %s', (hook) => {
  const manifest = { name: 'apart', capabilities: { hooks: [hook] } } as never;
  expect(() => refuseForeign(manifest, readCapabilities(manifest))).toThrow(`taps the hook '${hook}'`);
});

test('requests approval only for added capabilities', () => {
  const read = (capabilities: object, requires: string[] = []): ReturnType<typeof readCapabilities> =>
    readCapabilities({ name: 'apart', capabilities, requires } as never);
  const before = read({ read: ['/x'], memoryMb: 256 });
  expect(grown(before, before)).toEqual([]);
  expect(grown(before, read({ read: ['/x'], memoryMb: 128 }))).toEqual([]);
  for (const [next, count] of [
    [read({ read: ['/x'], hooks: ['tool.before', 'prompt.build'] }), 2],
    [read({ read: ['/x', '/y'] }), 1],
    [read({ write: ['/x'] }), 1],
    [read({ hosts: ['a.example.org'] }), 1],
    [read({ events: ['turn_end'] }), 1],
    [read({}, ['chats']), 1],
    [read({ memoryMb: 257 }), 1],
    [read({ timeMs: 2_001 }), 1],
  ] as const) {
    expect(grown(before, next)).toHaveLength(count);
  }
});
