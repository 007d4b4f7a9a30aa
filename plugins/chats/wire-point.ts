// The point `wire_event`: what is contributed to it is journaled and sent whenever it is emitted.
import type { Disposable, Emitter, PointHandler } from 'agent-harness/kernel';
import { hasPermissions } from 'agent-harness/lib/schema-filter';
import type { JournalEvent, WireEvent } from './contract.ts';
import type { Parts } from './parts.ts';

/** Set by the log itself, so a payload must not have them. */
const reserved = ['id', 'kind', 'at', 'shown'];

interface Showing {
  readonly shows: WireEvent['shows'];
  readonly completes: WireEvent['completes'];
}

export interface WirePoint extends PointHandler<WireEvent> {
  /** A line that was read, as it would be written now: with what an older version left out. The event itself where nothing is missing. */
  complete(event: JournalEvent): JournalEvent;
  permissionOf(kind: string): WireEvent['permission'] | undefined;
  guardedSchemaOf(kind: string): WireEvent['schema'] | undefined;
}

export function createWirePoint(emitter: Emitter, parts: () => ReturnType<Parts>): WirePoint {
  const listening = new Map<string, Disposable>();
  const showing = new Map<string, Showing>();
  const permissions = new Map<string, WireEvent['permission'] | undefined>();
  const schemas = new Map<string, WireEvent['schema']>();
  /** Looked for when a reader that may not have everything is there. */
  const guarded = new Map<string, WireEvent['schema'] | undefined>();

  /** An event whose plugin cannot say how it shows is journaled, and read, all the same. */
  function withAnswer<T extends object>(event: T, ask: () => object | undefined): T {
    try {
      const answer = ask() ?? {};
      return Object.keys(answer).length > 0 ? { ...event, ...answer } : event;
    } catch {
      return event;
    }
  }

  function withShown<T extends object>(event: T, shows: Showing['shows']): T {
    return withAnswer(event, () => {
      const shown = shows?.(event as never);
      return shown && { shown };
    });
  }

  return {
    permissionOf: (kind) => permissions.get(kind),
    guardedSchemaOf(kind) {
      if (!guarded.has(kind)) guarded.set(kind, hasPermissions(schemas.get(kind)) ? schemas.get(kind) : undefined);
      return guarded.get(kind);
    },
    complete(event) {
      const { shows, completes } = showing.get(event.kind) ?? {};
      const whole = completes ? withAnswer(event, () => completes(event as never)) : event;
      return shows && whole['shown'] === undefined ? withShown(whole, shows) : whole;
    },
    validate({ name, schema }) {
      if (!/^[a-z][a-z0-9_]*$/.test(name)) return `the event name '${name}' must be snake_case.`;
      if (listening.has(name)) return `the event '${name}' is contributed twice; its owner alone does that.`;
      const properties = (schema as { properties?: object } | undefined)?.properties ?? {};
      const taken = reserved.find((field) => Object.hasOwn(properties, field));
      return taken === undefined ? undefined : `the event '${name}' must not have a field '${taken}'; the event log sets it.`;
    },
    added({ name, schema, permission, keep = 'journal', shows, completes }) {
      permissions.set(name, permission);
      schemas.set(name, schema);
      guarded.delete(name);
      if (shows ?? completes) showing.set(name, { shows, completes });
      listening.set(
        name,
        emitter.on(name as 'error', (payload) => parts().log.append(name, keep, shows ? withShown(payload, shows) : payload)),
      );
    },
    removed({ name }) {
      showing.delete(name);
      permissions.delete(name);
      schemas.delete(name);
      guarded.delete(name);
      void listening.get(name)?.dispose();
      listening.delete(name);
    },
  };
}
