// Renders the policy: allowed tools and models, and spending limits.
import { Plus } from 'lucide-react';
import { policyDocument, type Policy as PolicyDocument } from './policy-document.ts';
import { PolicyFields, put } from './policy-fields.tsx';
import { PolicyGroupCard } from './policy-group.tsx';
import { RulesPage } from './rules-page.tsx';
import './rules.css';

export function Policy() {
  return (
    <RulesPage
      title="Policy"
      intro="Applies to every service of the organisation before its first turn, even offline. Members see which rules come from this policy."
      rules={policyDocument}
      Form={PolicyForm}
    />
  );
}

interface PolicyFormProps {
  readonly value: PolicyDocument;
  readonly onChange: (value: PolicyDocument) => void;
  readonly isReadOnly: boolean;
}

const maxGroups = 100;

function PolicyForm({ value, onChange, isReadOnly }: PolicyFormProps) {
  const { groups = [] } = value;
  const setGroups = (next: typeof groups): void => onChange(put(value, 'groups', next.length === 0 ? undefined : next));
  return (
    <>
      <fieldset className="page-card padded page-form policy-group" aria-label="All members">
        <h2>All members</h2>
        <PolicyFields value={value} onChange={onChange} isReadOnly={isReadOnly} />
      </fieldset>
      <div className="section-head policy-groups-head">
        <h2>Groups</h2>
        {!isReadOnly && (
          <button
            type="button"
            className="button"
            disabled={groups.length >= maxGroups}
            onClick={() => setGroups([...groups, { name: freeName(groups.map(({ name }) => name)), match: { roles: ['member'] } }])}
          >
            <Plus size={16} aria-hidden /> Add a group
          </button>
        )}
      </div>
      {groups.length === 0 && (
        <p className="muted">Rules for some roles or people. They apply in addition to the rules for all members; the stricter rule applies.</p>
      )}
      {groups.map((group, at) => (
        <PolicyGroupCard
          key={at}
          group={group}
          isReadOnly={isReadOnly}
          onChange={(changed) => setGroups(groups.map((one, index) => (index === at ? changed : one)))}
          onRemove={() => setGroups(groups.filter((_, index) => index !== at))}
        />
      ))}
    </>
  );
}

function freeName(taken: readonly string[]): string {
  for (let number = taken.length + 1; ; number++) if (!taken.includes(`Group ${number}`)) return `Group ${number}`;
}
