// Renders a group in the policy: its members, and their additional rules.
import { TextField } from '#page/kit/page/text-field.tsx';
import { Trash2 } from 'lucide-react';
import { roles, roleTitles, type Role } from '../../base/me.ts';
import { LinesField } from '../../base/lines-field.tsx';
import type { PolicyGroup } from './policy-document.ts';
import { PolicyFields, put } from './policy-fields.tsx';

export interface PolicyGroupCardProps {
  readonly group: PolicyGroup;
  readonly isReadOnly: boolean;
  readonly onChange: (group: PolicyGroup) => void;
  readonly onRemove: () => void;
}

export function PolicyGroupCard({ group, isReadOnly, onChange, onRemove }: PolicyGroupCardProps) {
  const { name, match } = group;
  const title = name === '' ? 'A group without a name' : name;
  const chosen = match.roles ?? [];
  const setRoles = (next: readonly Role[]): void => onChange({ ...group, match: put(match, 'roles', next.length === 0 ? undefined : [...next]) });
  return (
    <fieldset className="page-card padded page-form policy-group" aria-label={title}>
      <div className="policy-group-head">
        <TextField
          label="Name of the group"
          required
          maxLength={100}
          readOnly={isReadOnly}
          value={name}
          onChange={(next) => onChange({ ...group, name: next })}
        />
        {!isReadOnly && (
          <button type="button" className="button danger" aria-label={`Remove ${title}`} onClick={onRemove}>
            <Trash2 size={16} aria-hidden /> Remove
          </button>
        )}
      </div>
      <fieldset className="page-form-choices">
        <legend className="policy-legend">Members with one of these roles</legend>
        {roles.map((role) => (
          <label key={role} className="page-form-choice">
            <input
              type="checkbox"
              disabled={isReadOnly}
              checked={chosen.includes(role)}
              onChange={({ target }) => setRoles(roles.filter((one) => (one === role ? target.checked : chosen.includes(one))))}
            />
            {roleTitles[role]}
          </label>
        ))}
      </fieldset>
      <LinesField
        label="Only these people"
        hint="E-mail addresses, one per line. If empty, the group has all members with a chosen role. If no role is chosen, the role does not matter."
        placeholder="ann@example.org"
        value={match.people ?? []}
        isReadOnly={isReadOnly}
        onChange={(people) => onChange({ ...group, match: put(match, 'people', people.length === 0 ? undefined : [...people]) })}
      />
      <PolicyFields value={group} onChange={onChange} isReadOnly={isReadOnly} />
    </fieldset>
  );
}
