// Defines the roles of paired devices and their rights.
import type { Rights } from 'agent-harness/plugins/http';

/** `view` reads chats; `chat` also sends messages and stops turns; `full` has the rights of the owner. */
export const deviceRoles = ['view', 'chat', 'full'] as const;
export type DeviceRole = (typeof deviceRoles)[number];

/** Default role: a lost phone cannot approve anything. */
export const defaultRole: DeviceRole = 'chat';

/** The page needs the area `server` for rendering; only an owner can change anything in that area. */
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
