// Renders the rules of a policy as fields, for all members or a group.
import { TextField } from '#page/kit/page/text-field.tsx';
import { LinesField } from '../../base/lines-field.tsx';
import type { PolicyRules } from './policy-document.ts';

export interface PolicyFieldsProps<T extends PolicyRules> {
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly isReadOnly: boolean;
}

const lists = [
  { key: 'blockedTools', label: 'Blocked tools', hint: 'One name per line; * matches any text. These tools never run.', placeholder: 'run_command' },
  {
    key: 'forcedApprovals',
    label: 'Tools that always require approval',
    hint: 'Every call requires approval, regardless of other settings.',
    placeholder: 'write_file',
  },
  {
    key: 'allowedModels',
    label: 'Allowed models',
    hint: 'One model per line; * matches any text. If empty, all models are allowed.',
    placeholder: 'openai/*',
  },
] as const;
const noModel = 'The document contains an empty list, so no model is allowed. Enter a model, or remove the list from the JSON.';

type Caps = NonNullable<PolicyRules['spendingCaps']>;
const caps = { perDay: 'Per day', perChat: 'Per chat' } as const;
const purposes = {
  chat: 'Chats per day',
  task: 'Tasks per day',
  memory: 'Memory per day',
  heartbeat: 'Heartbeat per day',
  dream: 'Dreams per day',
  voice: 'Voice per day',
} as const;

export function PolicyFields<T extends PolicyRules>({ value, onChange, isReadOnly }: PolicyFieldsProps<T>) {
  const { spendingCaps = {} } = value;
  const setCaps = (next: Caps): void => onChange(put(value, 'spendingCaps', isEmpty(next) ? undefined : next));
  const setPurpose = (name: keyof typeof purposes, usd: number | undefined): void => {
    const next = put<NonNullable<Caps['purposes']>, typeof name>(spendingCaps.purposes ?? {}, name, usd);
    setCaps(put(spendingCaps, 'purposes', isEmpty(next) ? undefined : next));
  };
  const common = { isReadOnly } as const;
  return (
    <>
      {lists.map(({ key, label, hint, placeholder }) => (
        <LinesField
          key={key}
          {...common}
          label={label}
          hint={key === 'allowedModels' && value.allowedModels?.length === 0 ? noModel : hint}
          placeholder={placeholder}
          value={value[key] ?? []}
          onChange={(names) => onChange(put(value, key, names.length === 0 ? undefined : [...names]))}
        />
      ))}
      <fieldset className="policy-caps">
        <legend>Spending caps, in US dollars</legend>
        <p className="muted small">An empty field sets no cap. If several caps apply, the lowest one counts.</p>
        <div className="policy-caps-fields">
          {Object.entries(caps).map(([name, label]) => (
            <CapField
              key={name}
              {...common}
              label={label}
              usd={spendingCaps[name as keyof typeof caps]}
              onChange={(usd) => setCaps(put(spendingCaps, name as keyof typeof caps, usd))}
            />
          ))}
          {Object.entries(purposes).map(([name, label]) => (
            <CapField
              key={name}
              {...common}
              label={label}
              usd={spendingCaps.purposes?.[name as keyof typeof purposes]}
              onChange={(usd) => setPurpose(name as keyof typeof purposes, usd)}
            />
          ))}
        </div>
      </fieldset>
    </>
  );
}

interface CapFieldProps {
  readonly label: string;
  readonly usd: number | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (usd: number | undefined) => void;
}

function CapField({ label, usd, isReadOnly, onChange }: CapFieldProps) {
  return (
    <TextField
      label={label}
      type="number"
      min={0}
      step="any"
      inputMode="decimal"
      placeholder="none"
      readOnly={isReadOnly}
      value={String(usd ?? '')}
      onChange={(text) => onChange(text === '' ? undefined : Number(text))}
    />
  );
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/** Returns a copy with the value set, or without the key if `next` is undefined. */
export function put<T extends object, K extends keyof T>(value: T, key: K, next: T[K] | undefined): T {
  if (next !== undefined) return { ...value, [key]: next };
  const { [key]: _, ...rest } = value;
  return rest as T;
}
