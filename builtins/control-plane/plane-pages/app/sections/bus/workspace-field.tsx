// Which workspace: its fingerprint, as its services name it, or what all workspaces share.
import { useId, useState } from 'react';
import '#page/kit/page/form.css';

export interface WorkspaceFieldProps {
  readonly value: string;
  readonly onChange: (workspace: string) => void;
  /** What is known already, to choose from. */
  readonly known?: readonly string[];
}

export function WorkspaceField({ value, onChange, known = [] }: WorkspaceFieldProps) {
  const id = useId();
  const [text, setText] = useState(value);
  return (
    <form
      className="page-filters"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(text.trim());
      }}
    >
      <div className="page-form-field workspace-field">
        <label htmlFor={id} className="small">
          Workspace
        </label>
        <input
          id={id}
          className="field"
          value={text}
          list={`${id}-known`}
          spellCheck={false}
          autoCapitalize="off"
          onChange={(event) => setText(event.target.value)}
        />
        <datalist id={`${id}-known`}>
          {['global', ...known.filter((one) => one !== 'global')].map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </div>
      <button type="submit" className="button workspace-show" disabled={text.trim() === ''}>
        Show
      </button>
    </form>
  );
}
