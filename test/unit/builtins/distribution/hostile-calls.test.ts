// Tests calls that the process of an isolated plugin sends without its registry, which checks nothing that a plugin could rely on.
import type { Registry } from 'agent-harness/kernel';
import { expect, test } from 'vitest';
import { applyRegistrations } from '../../../../builtins/distribution/plugin-host/applied-registrations.ts';
import { readCapabilities } from '../../../../builtins/distribution/plugin-host/capabilities.ts';
import { createServerCalls } from '../../../../builtins/distribution/plugin-host/server-calls.ts';

function openCalls(): { readonly doors: any; readonly logs: string[]; readonly listeners: string[]; readonly log: object } {
  const logs: string[] = [];
  const listeners: string[] = [];
  const at =
    (level: string) =>
    (message: string): void =>
      void logs.push(`${level} ${message}`);
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  const registry = { log, services: {} } as unknown as Registry;
  const emitter = { on: (event: string) => (listeners.push(event), { dispose: () => undefined }) } as never;
  const manifest = { name: 'apart', events: ['apart_done'] } as never;
  const shared = { manifest, capabilities: readCapabilities(manifest), registry, emitter, onFault: () => undefined };
  const { take, dispose } = applyRegistrations({ ...shared, server: { plugins: () => [], segments: () => new Set() } });
  return { doors: createServerCalls({ ...shared, take, dispose }).doors, logs, listeners, log };
}

test.each(['__defineGetter__', 'constructor', 'trace', undefined])('the log level %s changes no logger', (level) => {
  const { doors, logs, log } = openCalls();
  const before = Object.getOwnPropertyDescriptors(log);
  doors.log(level, 'info', () => 1);
  expect(logs).toEqual(['info info']);
  expect(Object.getOwnPropertyDescriptors(log)).toEqual(before);
});

test('registrations with a used handle or another form are refused', () => {
  const { doors, logs, listeners } = openCalls();
  const one = { kind: 'on', handle: 1, args: ['apart_done', () => undefined] };
  for (const sent of [one, one, { ...one, handle: 1.5 }, { ...one, handle: 2, kind: 'zap' }, { ...one, handle: 3, args: 'x' }, null]) doors.register(sent);
  expect(listeners).toEqual(['apart_done']);
  expect(logs).toEqual(Array(5).fill("error cannot register: 'apart' sent an invalid registration."));
});
