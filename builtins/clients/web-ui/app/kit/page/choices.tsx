// Renders a choice between a few options, side by side.
import { useId } from 'react';
import './form.css';

export interface ChoicesProps<T extends string> {
  readonly legend: string;
  readonly value: T;
  readonly options: Readonly<Record<T, string>>;
  readonly onChange: (value: T) => void;
}

export function Choices<T extends string>({ legend, value, options, onChange }: ChoicesProps<T>) {
  const name = useId();
  return (
    <fieldset className="page-form-choices">
      <legend className="visually-hidden">{legend}</legend>
      {(Object.keys(options) as T[]).map((option) => (
        <label key={option} className="page-form-choice">
          <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
          {options[option]}
        </label>
      ))}
    </fieldset>
  );
}
