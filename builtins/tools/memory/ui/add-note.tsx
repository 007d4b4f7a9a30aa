// Renders the form for adding a note manually.
import { useId, useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { Modal } from '#page/kit/modal.tsx';
import { FormEnd } from '#page/kit/page/form-end.tsx';
import { FormField } from '#page/kit/page/form-field.tsx';
import { Select } from '#page/kit/page/select.tsx';
import { TextField } from '#page/kit/page/text-field.tsx';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { FieldTools } from '#page/points/field-tools.tsx';
import type { NoteScope } from './memory-calls.ts';
import { scopeTitles } from './memory-model.ts';
import { t } from '#page/kit/t.ts';

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
  const note = { key: name.trim(), value, type: type.trim(), scope, ...(chatId === undefined ? {} : { chatId }) };
  const { problem, isBusy, submit } = useSentForm(
    () => client.call('POST /api/memory', { body: note }),
    () => {
      onAdded();
      onClose();
    },
  );

  return (
    <Modal
      title={t('Add a note')}
      description={t('The agent recalls the note when it is relevant. It replaces a note with the same type and name.')}
      onClose={onClose}
    >
      <form className="page-form" onSubmit={submit}>
        <TextField label={t('Name')} value={name} maxLength={200} required onChange={setName} />
        <FormField id={`${id}-text`} label={t('Text')}>
          <FieldTools>
            <textarea
              id={`${id}-text`}
              className="field"
              rows={4}
              value={value}
              maxLength={20_000}
              required
              onChange={(event) => setValue(event.target.value)}
            />
          </FieldTools>
        </FormField>
        <div className="page-form-pair">
          <FormField id={`${id}-scope`} label={t('Applies to')}>
            <Select id={`${id}-scope`} value={scope} options={scopeTitles} onChange={setScope} />
          </FormField>
          <FormField id={`${id}-type`} label={t('Type')}>
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
        <FormEnd
          problem={problem}
          isBusy={isBusy}
          isIncomplete={name.trim() === '' || value.trim() === ''}
          label={t('Add note')}
          busyLabel={t('Adding…')}
          onClose={onClose}
        />
      </form>
    </Modal>
  );
}
