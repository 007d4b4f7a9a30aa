// How much a paired device may.
import type { Rights } from 'agent-harness/plugins/http';

/** `view` reads chats; `chat` also sends messages and stops turns; `full` does what the owner may. */
export const deviceRoles = ['view', 'chat', 'full'] as const;
export type DeviceRole = (typeof deviceRoles)[number];

/** Where nobody chose one: a phone that is lost decides nothing. */
export const usualRole: DeviceRole = 'chat';

/** `server` is what the page has to know to be drawn; nothing in it can be changed below an owner. */
const areas = ['chats', 'server'] as const;

const rights: Readonly<Record<DeviceRole, Rights>> = {
  view: { role: 'viewer', areas },
  chat: { role: 'member', areas },
  full: { role: 'owner' },
};

export function rightsOf(role: DeviceRole): Rights {
  return rights[role];
}

export function isDeviceRole(value: unknown): value is DeviceRole {
  return deviceRoles.some((role) => role === value);
}
