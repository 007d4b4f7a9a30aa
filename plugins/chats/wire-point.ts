// Manages the contribution point `wire_event`: journals and sends contributed events when they are emitted.
import type { Disposable, Emitter, PointHandler } from 'agent-harness/kernel';
import { hasPermissions } from '#lib/schema-filter';
import type { JournalEvent, WireEvent } from './contract.ts';
import type { Parts } from './parts.ts';

/** The log sets these fields, so a payload must not contain them. */
const reserved = ['id', 'kind', 'at', 'shown'];

interface Showing {
  readonly shows: WireEvent['shows'];
  readonly completes: WireEvent['completes'];
}

export interface WirePoint extends PointHandler<WireEvent> {
  /** Returns an event with the fields that an older version did not write; the same object if the event is complete. */
  complete(event: JournalEvent): JournalEvent;
  permissionOf(kind: string): WireEvent['permission'] | undefined;
  guardedSchemaOf(kind: string): WireEvent['schema'] | undefined;
}

export function createWirePoint(emitter: Emitter, parts: () => ReturnType<Parts>): WirePoint {
  const listening = new Map<string, Disposable>();
  const showing = new Map<string, Showing>();
  const permissions = new Map<string, WireEvent['permission'] | undefined>();
  const schemas = new Map<string, WireEvent['schema']>();
  /** Schemas with field permissions, by kind; computed when a reader with restricted permissions connects. */
  const guarded = new Map<string, WireEvent['schema'] | undefined>();

  /** Returns the event with its computed fields; without them if their plugin fails, because the event must be journaled and delivered in any case. */
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
