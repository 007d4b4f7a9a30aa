// A note that a person writes.
import { useId, useState, type FormEvent } from 'react';
import { useClient } from '../../hooks.ts';
import { Modal } from '../../shell/modal.tsx';
import { explainError } from '../shared/explain-error.ts';
import { FormField } from '../shared/form-field.tsx';
import { memoryCalls, type NoteScope } from './memory-calls.ts';
import { scopes, scopeTitles } from './memory-model.ts';

const kinds = ['fact', 'experience', 'entity', 'belief', 'recipe', 'hypothesis'];

export interface AddNoteProps {
  readonly chatId: string | undefined;
  readonly onAdded: () => void;
  readonly onClose: () => void;
}

export function AddNote({ chatId, onAdded, onClose }: AddNoteProps) {
  const client = useClient();
  const id = useId();
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [type, setType] = useState('fact');
  const [scope, setScope] = useState<NoteScope>('workspace');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      const key = name.trim();
      await memoryCalls(client)('POST /api/memory', { body: { key, value, type: type.trim(), scope, ...(chatId === undefined ? {} : { chatId }) } });
      onAdded();
      onClose();
    } catch (error) {
      setProblem(explainError(error));
      setBusy(false);
    }
  }

  return (
    <Modal title="Add a note" description="The agent recalls it when it fits. A note of the same type and name is replaced." onClose={onClose}>
      <form className="page-form" onSubmit={(event) => void submit(event)}>
        <FormField id={`${id}-name`} label="Name">
          <input
            id={`${id}-name`}
            className="field"
            value={name}
            maxLength={200}
            required
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        </FormField>
        <FormField id={`${id}-text`} label="Text">
          <textarea id={`${id}-text`} className="field" rows={4} value={value} maxLength={20_000} required onChange={(event) => setValue(event.target.value)} />
        </FormField>
        <div className="page-form-pair">
          <FormField id={`${id}-scope`} label="Counts in">
            <select id={`${id}-scope`} className="field" value={scope} onChange={(event) => setScope(event.target.value as NoteScope)}>
              {scopes.map((one) => (
                <option key={one} value={one}>
                  {scopeTitles[one]}
                </option>
              ))}
            </select>
          </FormField>
          <FormField id={`${id}-type`} label="Type">
            <input
              id={`${id}-type`}
              className="field"
              list={`${id}-types`}
              value={type}
              maxLength={32}
              required
              onChange={(event) => setType(event.target.value)}
            />
            <datalist id={`${id}-types`}>
              {kinds.map((kind) => (
                <option key={kind} value={kind} />
              ))}
            </datalist>
          </FormField>
        </div>
        <p className="page-form-problem small" role="alert">
          {problem}
        </p>
        <div className="modal-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={isBusy || name.trim() === '' || value.trim() === ''}>
            {isBusy ? 'Adding…' : 'Add note'}
          </button>
        </div>
      </form>
    </Modal>
  );
}
