// Renders the form that creates or changes a prompt template.
import { useId, useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { Modal } from '#page/kit/modal.tsx';
import { FormEnd } from '#page/kit/page/form-end.tsx';
import { FormField } from '#page/kit/page/form-field.tsx';
import { TextField } from '#page/kit/page/text-field.tsx';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { t } from '#page/kit/t.ts';
import type { Template } from './template.ts';

interface Props {
  /** The template to change; omitted for a new one. */
  readonly template?: Template;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function TemplateForm({ template, onSaved, onClose }: Props) {
  const client = useClient();
  const id = useId();
  const [name, setName] = useState(template?.name ?? '');
  const [description, setDescription] = useState(descriptionOf(template));
  const [argumentHint, setHint] = useState(template?.argumentHint ?? '');
  const [text, setText] = useState(template?.text ?? '');
  const { problem, isBusy, submit } = useSentForm(
    () =>
      client.call('PUT /api/prompts/:name', {
        params: { name: name.trim() },
        body: { text, description, argumentHint, ...(template ? { from: template.name } : { isNew: true }) },
      }),
    onSaved,
  );
  return (
    <Modal title={template ? t('Edit /{name}', { name: template.name }) : t('New prompt')} onClose={onClose}>
      <form className="page-form" onSubmit={submit}>
        <TextField
          label={t('Name')}
          hint={t('The name after the slash: lower-case letters, digits and hyphens.')}
          value={name}
          pattern="[a-z][a-z0-9\-]{0,31}"
          required
          autoFocus
          onChange={setName}
        />
        <TextField label={t('Description')} value={description} maxLength={200} spellCheck onChange={setDescription} />
        <FormField
          id={`${id}-text`}
          label={t('Text for the model')}
          hint={t('{first}, {second} … are placeholders for single arguments, {all} is the whole text after the name.', {
            first: '$1',
            second: '$2',
            all: '$ARGUMENTS',
          })}
        >
          <textarea
            id={`${id}-text`}
            className="field prompt-form-text"
            dir="auto"
            rows={8}
            maxLength={48_000}
            value={text}
            required
            aria-describedby={`${id}-text-hint`}
            onChange={(event) => setText(event.target.value)}
          />
        </FormField>
        <TextField
          label={t('Names of the placeholders')}
          hint={t('In order, each in brackets: {example}', { example: t('[file] [search text]') })}
          value={argumentHint}
          maxLength={100}
          onChange={setHint}
        />
        <FormEnd
          problem={problem}
          isBusy={isBusy}
          isIncomplete={name.trim() === '' || text.trim() === ''}
          label={t('Save')}
          busyLabel={t('Saving…')}
          onClose={onClose}
        />
      </form>
    </Modal>
  );
}

/** Returns the description; default: the first line of the file. */
function descriptionOf(template: Template | undefined): string {
  return template === undefined || template.text.startsWith(template.description) ? '' : template.description;
}
