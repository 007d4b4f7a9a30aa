// Renders the selection of the organisation for which a service is signed in.
import { FormField } from '#page/kit/page/form-field.tsx';
import { Select } from '#page/kit/page/select.tsx';
import { useId } from 'react';

export interface OrgChoiceProps {
  readonly organisations: readonly { readonly id: string; readonly name: string }[];
  readonly value: string;
  readonly onChange: (orgId: string) => void;
}

/** Renders nothing if there is no choice. */
export function OrgChoice({ organisations, value, onChange }: OrgChoiceProps) {
  const id = useId();
  if (organisations.length < 2) return null;
  return (
    <FormField id={id} label="Organisation">
      <Select id={id} value={value} options={Object.fromEntries(organisations.map((one) => [one.id, one.name]))} onChange={onChange} />
    </FormField>
  );
}
