// Renders the selection of a device's role.
import type { ReplyOf } from 'agent-harness/client';
import { table } from '#page/kit/t.ts';

export type DeviceRole = ReplyOf<'GET /api/pair/devices'>['devices'][number]['role'];

const roles: readonly { readonly role: DeviceRole; readonly name: string }[] = table(
  [
    { role: 'view', name: 'Read chats' },
    { role: 'chat', name: 'Chat without approvals' },
    { role: 'full', name: 'All rights' },
  ],
  'name',
);

interface RoleChoiceProps {
  readonly label: string;
  readonly value: DeviceRole;
  readonly isBusy?: boolean;
  readonly onChange: (role: DeviceRole) => void;
}

export function RoleChoice({ label, value, isBusy = false, onChange }: RoleChoiceProps) {
  return (
    <select className="field device-role" aria-label={label} value={value} disabled={isBusy} onChange={(event) => onChange(event.target.value as DeviceRole)}>
      {roles.map(({ role, name }) => (
        <option key={role} value={role}>
          {name}
        </option>
      ))}
    </select>
  );
}
