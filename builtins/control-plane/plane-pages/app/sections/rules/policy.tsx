// The policy: what tools and models the services of the organisation may use, and what they may spend.
import { TextField } from '#page/kit/page/text-field.tsx';
import { LinesField } from '../../base/lines-field.tsx';
import { policyDocument, type Policy as PolicyDocument } from './policy-document.ts';
import { RulesPage } from './rules-page.tsx';
import './rules.css';

export function Policy() {
  return (
    <RulesPage
      title="Policy"
      intro="Holds on every service of the organisation before its first turn, also offline. Members see which rule comes from here."
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

function PolicyForm({ value, onChange, isReadOnly }: PolicyFormProps) {
  const { blockedTools = [], forcedApprovals = [], allowedModels, spendingCaps = {}, groups = [] } = value;
  /** What says nothing is left out, so that the document stays what somebody meant. */
  const set = (changed: Partial<PolicyDocument>, empty: keyof PolicyDocument, isEmpty: boolean): void => {
    const { [empty]: _, ...rest } = value;
    onChange(isEmpty ? rest : { ...rest, ...changed });
  };
  const setCap = (name: 'perDay' | 'perChat', text: string): void => {
    const { [name]: _, ...rest } = spendingCaps;
    const caps = text === '' ? rest : { ...rest, [name]: Number(text) };
    set({ spendingCaps: caps }, 'spendingCaps', Object.keys(caps).length === 0);
  };
  const common = { isReadOnly } as const;
  return (
    <div className="page-card padded page-form">
      <LinesField
        {...common}
        label="Blocked tools"
        hint="One name in a line; * stands for any text. They never run."
        placeholder="run_command"
        value={blockedTools}
        onChange={(names) => set({ blockedTools: [...names] }, 'blockedTools', names.length === 0)}
      />
      <LinesField
        {...common}
        label="Tools that always ask"
        hint="A person approves each call, whatever else is set."
        placeholder="write_file"
        value={forcedApprovals}
        onChange={(names) => set({ forcedApprovals: [...names] }, 'forcedApprovals', names.length === 0)}
      />
      <LinesField
        {...common}
        label="Models that may answer"
        hint="One in a line; * stands for any text. With none here, all of them may."
        placeholder="openai/*"
        value={allowedModels ?? []}
        onChange={(names) => set({ allowedModels: [...names] }, 'allowedModels', names.length === 0)}
      />
      <div className="page-form-pair">
        <TextField
          label="Cap a day, in US dollars"
          type="number"
          min={0}
          step="any"
          inputMode="decimal"
          hint="Left empty, there is none."
          readOnly={isReadOnly}
          value={String(spendingCaps.perDay ?? '')}
          onChange={(text) => setCap('perDay', text)}
        />
        <TextField
          label="Cap a chat, in US dollars"
          type="number"
          min={0}
          step="any"
          inputMode="decimal"
          hint="Left empty, there is none."
          readOnly={isReadOnly}
          value={String(spendingCaps.perChat ?? '')}
          onChange={(text) => setCap('perChat', text)}
        />
      </div>
      <p className="muted small">
        {groups.length === 0
          ? 'Rules for some roles or people, and caps by purpose, are written as JSON.'
          : `There are rules of their own for ${groups.map(({ name }) => name).join(', ')}; they and caps by purpose are edited as JSON.`}
      </p>
    </div>
  );
}
