// Renders the filter field of a page.
import { Search } from 'lucide-react';
import { useId } from 'react';
import './pages.css';

export interface SearchFieldProps {
  /** Label for screen readers. */
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly autoFocus?: boolean;
}

export function SearchField({ label, placeholder, value, onChange, autoFocus = false }: SearchFieldProps) {
  const id = useId();
  return (
    <div className="page-search">
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <Search size={16} aria-hidden="true" />
      <input
        id={id}
        type="search"
        className="field"
        value={value}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        autoFocus={autoFocus}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
