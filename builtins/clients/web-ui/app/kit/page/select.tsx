// Renders a drop-down choice between several options.

export interface SelectProps<T extends string> {
  /** Id for a label element beside the control. */
  readonly id?: string;
  /** Label for screen readers, if there is no label element. */
  readonly label?: string;
  readonly value: T;
  /** Options with their titles, in display order. */
  readonly options: Readonly<Partial<Record<T, string>>>;
  readonly onChange: (value: T) => void;
}

export function Select<T extends string>({ id, label, value, options, onChange }: SelectProps<T>) {
  return (
    <select id={id} className="field" aria-label={label} value={value} onChange={(event) => onChange(event.target.value as T)}>
      {(Object.keys(options) as T[]).map((option) => (
        <option key={option} value={option}>
          {options[option]}
        </option>
      ))}
    </select>
  );
}
