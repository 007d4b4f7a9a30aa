// Renders a field for several names, one per line.
import { FormField } from '#page/kit/page/form-field.tsx';
import { useId, useState } from 'react';
import '#page/kit/page/form.css';

export interface LinesFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly placeholder: string;
  readonly value: readonly string[];
  readonly isReadOnly: boolean;
  readonly onChange: (value: readonly string[]) => void;
}

export function LinesField({ label, hint, placeholder, value, isReadOnly, onChange }: LinesFieldProps) {
  const id = useId();
  // Keeps the text as typed, because an unfinished line is not a name yet.
  const [text, setText] = useState(value.join('\n'));
  const shown = linesOf(text).join('\n') === value.join('\n') ? text : value.join('\n');
  return (
    <FormField id={id} label={label} hint={hint}>
      <textarea
        id={id}
        className="field code-field"
        rows={Math.min(12, Math.max(3, shown.split('\n').length + 1))}
        value={shown}
        placeholder={placeholder}
        readOnly={isReadOnly}
        spellCheck={false}
        autoCapitalize="off"
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          setText(event.target.value);
          onChange(linesOf(event.target.value));
        }}
      />
    </FormField>
  );
}

function linesOf(text: string): readonly string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
}
