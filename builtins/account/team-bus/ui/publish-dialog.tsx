// Renders the dialog for publishing a message on the team bus.
import { jsonOf } from '#lib/values';
import { useClient } from '#page/kit/hooks.ts';
import { Modal } from '#page/kit/modal.tsx';
import { FormEnd } from '#page/kit/page/form-end.tsx';
import { FormField } from '#page/kit/page/form-field.tsx';
import { TextField } from '#page/kit/page/text-field.tsx';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { FieldTools } from '#page/points/field-tools.tsx';
import { useId, useState } from 'react';
import { t } from '#page/kit/t.ts';

export interface PublishDialogProps {
  readonly workspace: string;
  /** Topics of known messages. */
  readonly topics: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function PublishDialog({ workspace, topics, onClose, onDone }: PublishDialogProps) {
  const client = useClient();
  const id = useId();
  const [key, setKey] = useState('');
  const [text, setText] = useState('');
  const form = useSentForm(() => client.call('POST /api/team/bus/messages', { body: { workspace, key: key.trim(), envelope: envelopeOf(text) } }), onDone);
  return (
    <Modal
      title={t('Publish to the team')}
      description={
        workspace === 'global'
          ? t('Everyone in the organisation and all their agents can read it. It cannot be undone.')
          : t('Everyone in the organisation and the agents that work in {workspace} can read it. It cannot be undone.', { workspace })
      }
      onClose={onClose}
    >
      <form className="page-form" onSubmit={form.submit}>
        <TextField
          label={t('Topic')}
          hint={t('Kind of the message, such as interface_changed.')}
          required
          maxLength={200}
          list={`${id}-topics`}
          value={key}
          onChange={setKey}
        />
        <datalist id={`${id}-topics`}>
          {topics.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <FormField id={id} label={t('Message')} hint={t('Text, or JSON.')}>
          <FieldTools>
            <textarea
              id={id}
              className="field"
              rows={5}
              required
              aria-describedby={`${id}-hint`}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </FieldTools>
        </FormField>
        <FormEnd
          problem={form.problem}
          isBusy={form.isBusy}
          isIncomplete={key.trim() === '' || text.trim() === ''}
          label={t('Publish')}
          busyLabel={t('Publishing…')}
          onClose={onClose}
        />
      </form>
    </Modal>
  );
}

/** Parses a JSON object or list; treats any other input as text. */
function envelopeOf(text: string): unknown {
  const value = jsonOf(text);
  return typeof value === 'object' && value !== null ? value : text;
}
