// The point `wire_event`: what is contributed to it is journaled and sent whenever it is emitted.
import type { Disposable, Emitter, PointHandler } from 'agent-harness/kernel';
import type { JournalEvent, WireEvent } from './contract.ts';
import type { Parts } from './parts.ts';

/** Set by the log itself, so a payload must not have them. */
const reserved = ['id', 'kind', 'at', 'shown'];

export interface WirePoint extends PointHandler<WireEvent> {
  /** The event with what its plugin shows of it: said when it was written, or now for one that an older version wrote. */
  shown(event: JournalEvent): JournalEvent;
}

export function createWirePoint(emitter: Emitter, parts: () => ReturnType<Parts>): WirePoint {
  const listening = new Map<string, Disposable>();
  const showing = new Map<string, NonNullable<WireEvent['shows']>>();

  /** An event whose plugin cannot say how it shows is journaled all the same. */
  function withShown<T extends object>(name: string, event: T): T {
    try {
      const shown = showing.get(name)?.(event as never);
      return shown ? { ...event, shown } : event;
    } catch {
      return event;
    }
  }

  return {
    shown: (event) => (event['shown'] === undefined && showing.has(event.kind) ? withShown(event.kind, event) : event),
    validate({ name, schema }) {
      if (!/^[a-z][a-z0-9_]*$/.test(name)) return `the event name '${name}' must be snake_case.`;
      if (listening.has(name)) return `the event '${name}' is contributed twice; its owner alone does that.`;
      const properties = (schema as { properties?: object } | undefined)?.properties ?? {};
      const taken = reserved.find((field) => Object.hasOwn(properties, field));
      return taken === undefined ? undefined : `the event '${name}' must not have a field '${taken}'; the event log sets it.`;
    },
    added({ name, keep = 'journal', shows }) {
      if (shows) showing.set(name, shows);
      listening.set(
        name,
        emitter.on(name as 'error', (payload) => parts().log.append(name, keep, shows ? withShown(name, payload) : payload)),
      );
    },
    removed({ name }) {
      showing.delete(name);
      void listening.get(name)?.dispose();
      listening.delete(name);
    },
  };
}
