// Renders the fleet configuration, the settings of all services of an organisation.
import { Plus, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { fleetDocument, type FleetConfig } from './fleet-document.ts';
import { RulesPage } from './rules-page.tsx';
import './rules.css';

export function Fleet() {
  return (
    <RulesPage
      title="Fleet"
      intro="Settings of every service of the organisation. They override saved settings; the environment variables of a machine override them."
      rules={fleetDocument}
      Form={FleetForm}
    />
  );
}

interface FleetFormProps {
  readonly value: FleetConfig;
  readonly onChange: (value: FleetConfig) => void;
  readonly isReadOnly: boolean;
}

function FleetForm({ value, onChange, isReadOnly }: FleetFormProps) {
  const entries = Object.entries(value.harness?.env ?? {});
  const set = (next: readonly (readonly [string, string])[]): void =>
    onChange(next.length === 0 ? {} : { ...value, harness: { ...value.harness, env: Object.fromEntries(next) } });
  const isIncomplete = entries.some(([name]) => name === '');
  return (
    <div className="page-card padded page-form">
      {entries.length === 0 && <p className="muted">No settings yet.</p>}
      {entries.map(([name, text], at) => (
        <Variable
          key={at}
          name={name}
          text={text}
          isReadOnly={isReadOnly}
          onChange={(changed) => set(entries.map((one, index) => (index === at ? changed : one)))}
          onRemove={() => set(entries.filter((_, index) => index !== at))}
        />
      ))}
      {!isReadOnly && (
        <div>
          <button type="button" className="button" disabled={isIncomplete} onClick={() => set([...entries, ['', '']])}>
            <Plus size={16} aria-hidden /> Add a setting
          </button>
        </div>
      )}
      <p className="muted small">Variables of the agent, such as AGENT_MODEL. Keys, tokens and trust settings cannot be set here.</p>
    </div>
  );
}

interface VariableProps {
  readonly name: string;
  readonly text: string;
  readonly isReadOnly: boolean;
  readonly onChange: (entry: readonly [string, string]) => void;
  readonly onRemove: () => void;
}

function Variable({ name, text, isReadOnly, onChange, onRemove }: VariableProps) {
  const id = useId();
  return (
    <div className="fleet-variable">
      <label htmlFor={`${id}-name`} className="visually-hidden">
        Variable
      </label>
      <input
        id={`${id}-name`}
        className="field code-field"
        placeholder="AGENT_…"
        value={name}
        readOnly={isReadOnly}
        spellCheck={false}
        autoCapitalize="characters"
        onChange={(event) => onChange([event.target.value.toUpperCase().replace(/[^A-Z0-9_]/g, ''), text])}
      />
      <label htmlFor={`${id}-text`} className="visually-hidden">
        Value of {name || 'the new variable'}
      </label>
      <input
        id={`${id}-text`}
        className="field code-field"
        placeholder="Value"
        value={text}
        readOnly={isReadOnly}
        spellCheck={false}
        autoCapitalize="off"
        onChange={(event) => onChange([name, event.target.value])}
      />
      {!isReadOnly && (
        <button type="button" className="button bare icon danger" aria-label={`Remove ${name || 'the new variable'}`} onClick={onRemove}>
          <Trash2 size={16} aria-hidden />
        </button>
      )}
    </div>
  );
}
