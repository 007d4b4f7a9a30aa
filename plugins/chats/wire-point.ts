// The point `wire_event`: what is contributed to it is journaled and sent whenever it is emitted.
import type { Disposable, Emitter, PointHandler } from 'agent-harness/kernel';
import type { WireEvent } from './contract.ts';
import type { Parts } from './parts.ts';

/** Set by the log itself, so a payload must not have them. */
const reserved = ['id', 'kind', 'at'];

export function createWirePoint(emitter: Emitter, parts: Parts): PointHandler<WireEvent> {
  const listening = new Map<string, Disposable>();
  return {
    validate({ name, schema }) {
      if (!/^[a-z][a-z0-9_]*$/.test(name)) return `the event name '${name}' must be snake_case.`;
      if (listening.has(name)) return `the event '${name}' is contributed twice; its owner alone does that.`;
      const properties = (schema as { properties?: object } | undefined)?.properties ?? {};
      const taken = reserved.find((field) => Object.hasOwn(properties, field));
      return taken === undefined ? undefined : `the event '${name}' must not have a field '${taken}'; the event log sets it.`;
    },
    added({ name, keep }) {
      listening.set(
        name,
        emitter.on(name as 'error', (payload) => parts().log.append(name, keep ?? 'journal', payload)),
      );
    },
    removed({ name }) {
      void listening.get(name)?.dispose();
      listening.delete(name);
    },
  };
}
