// Defines the rights of a paired device.
import type { Rights } from 'agent-harness/plugins/http';

/** `view` reads chats; `chat` also sends messages and stops turns; `full` may do what the owner may. */
export const deviceRoles = ['view', 'chat', 'full'] as const;
export type DeviceRole = (typeof deviceRoles)[number];

/** When none was chosen: a lost phone decides nothing. */
export const usualRole: DeviceRole = 'chat';

/** `server` is what the page needs for drawing; only an owner can change anything in it. */
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
