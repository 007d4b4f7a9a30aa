// Which events a plugin outside the server's process hears: those that its manifest names, and its own.
import type { PluginManifest } from 'agent-harness/kernel';
import { isRecord } from 'agent-harness/lib/values';

/** The code of what is thrown for one that it may not hear; `event` says which. */
export const notNamed = 'ERR_EVENT_NOT_NAMED';

/** Whether nothing but its manifest is needed for it to hear the event. */
export function mayHear(event: string, { events = [], capabilities }: Pick<PluginManifest, 'events' | 'capabilities'>): boolean {
  const named: unknown = isRecord(capabilities) ? capabilities['events'] : undefined;
  return (events as readonly string[]).includes(event) || (Array.isArray(named) && named.includes(event));
}

/** Throws, with what to mend: in events stands what is said in chats, and what a person is asked. */
export function refuseEvent(plugin: string, event: string, manifest: Pick<PluginManifest, 'events' | 'capabilities'>): void {
  if (mayHear(event, manifest)) return;
  const error = new Error(`'${plugin}' hears '${event}'; name it in capabilities.events of its manifest.`);
  throw Object.assign(error, { code: notNamed, event });
}
