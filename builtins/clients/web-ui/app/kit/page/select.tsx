// One of several, in a list that opens.

export interface SelectProps<T extends string> {
  /** For a label that stands beside it. */
  readonly id?: string;
  /** Where none does. */
  readonly label?: string;
  readonly value: T;
  /** With their titles, in the order in which they are shown. */
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
