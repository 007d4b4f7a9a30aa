// Filters events for a reader of the event stream, by its rights and the permissions of events and of their fields.
import { permits } from '#lib/permits';
import { filterBySchema } from '#lib/schema-filter';
import type { EventFrame, EventLog } from 'agent-harness/plugins/chats';
import type { Rights } from 'agent-harness/plugins/http';

export interface Audience {
  /** Key that is the same for readers with the same rights, which share the encoded events. */
  readonly key: string;
  hears(frame: Pick<EventFrame, 'kind' | 'chatId'>): boolean;
  /** Returns the frame without restricted fields; the same object if it has none. */
  frameFor(frame: EventFrame): EventFrame;
}

/** Creates the filter for a reader. @param events declarations of the events; only an owner may read an event without a declaration */
export function audienceOf({ role, areas }: Rights, events: Pick<EventLog, 'permissionOf' | 'guardedSchemaOf'>): Audience {
  const cut = new WeakMap<EventFrame, EventFrame>();
  const answers = new Map<string | undefined, boolean>();
  function may(permission: string | undefined): boolean {
    let answer = answers.get(permission);
    if (answer === undefined) answers.set(permission, (answer = permits({ role, areas }, permission)));
    return answer;
  }
  return {
    key: `${role}:${areas ? JSON.stringify([...areas].sort()) : '*'}`,
    // Events of a chat also require the permission to read chats.
    hears: ({ kind, chatId }) => may(events.permissionOf(kind)) && (chatId === undefined || may('chats.read')),
    frameFor(frame) {
      const schema = may(undefined) ? undefined : events.guardedSchemaOf(frame.kind);
      if (!schema) return frame;
      let own = cut.get(frame);
      if (!own) {
        // No schema contains the fields that all events have.
        const json = JSON.stringify(filterBySchema({ ...schema, additionalProperties: true }, JSON.parse(frame.json), may));
        cut.set(frame, (own = { ...frame, json }));
      }
      return own;
    },
  };
}
