// Renders the page with the prompt templates that are active in the last viewed chat; users can change their own templates.
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { Empty, Row, Rows } from '#page/kit/page/rows.tsx';
import { useAct } from '#page/kit/page/use-act.ts';
import { useConfirm } from '#page/kit/page/use-confirm.tsx';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { usePageChat } from '#page/kit/page/use-page-chat.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { t, tx } from '#page/kit/t.ts';
import { usePermission } from '#page/points/use-permission.ts';
import type { Template } from './template.ts';
import { TemplateForm } from './template-form.tsx';
import './prompts-page.css';

export function PromptsPage() {
  const client = useClient();
  const { chatId } = usePageChat();
  const loaded = useLoaded(`prompts ${chatId ?? ''}`, (signal) => client.call('GET /api/prompts', { query: chatId === undefined ? {} : { chatId }, signal }));
  const mayManage = usePermission('chats.manage');
  const [edited, edit] = useState<Template | 'new'>();
  const [ask, dialog] = useConfirm();
  const { run } = useAct(loaded.reload);

  function remove({ name }: Template): void {
    ask({
      title: t('Delete this prompt?'),
      text: t('The file of /{name} is removed.', { name }),
      action: t('Delete'),
      go: () => void run(() => client.call('DELETE /api/prompts/:name', { params: { name } }), t('/{name} was deleted.', { name })),
    });
  }

  return (
    <PageFrame
      title={t('Prompts')}
      intro={tx('Save frequent prompts as commands: type {slash} in a message and select one.', { slash: <kbd>/</kbd> })}
      isBusy={loaded.isLoading}
      actions={
        mayManage && (
          <button type="button" className="button primary" onClick={() => edit('new')}>
            <Plus size={16} aria-hidden /> {t('New prompt')}
          </button>
        )
      }
    >
      <WhenLoaded loaded={loaded} what={t('prompts')}>
        {({ templates, leftOut }) => (
          <>
            {templates.length === 0 ? (
              <Empty title={t('No prompts yet.')}>
                {tx('Each prompt is a file: {own} in the home folder, or {folder} in a trusted workspace.', {
                  own: <code>prompts/review.md</code>,
                  folder: <code>.agents/prompts/review.md</code>,
                })}
              </Empty>
            ) : (
              <Rows label={t('Prompts')}>
                {templates.map((one) => (
                  <TemplateRow key={`${one.origin} ${one.path}`} template={one} mayManage={mayManage} onEdit={() => edit(one)} onRemove={() => remove(one)} />
                ))}
              </Rows>
            )}
            {leftOut.map((why) => (
              <p key={why} className="muted small" dir="auto">
                {t('Invalid file: {why}', { why })}
              </p>
            ))}
          </>
        )}
      </WhenLoaded>
      {edited !== undefined && (
        <TemplateForm
          {...(edited === 'new' ? {} : { template: edited })}
          onClose={() => edit(undefined)}
          onSaved={() => {
            edit(undefined);
            loaded.reload();
          }}
        />
      )}
      {dialog}
    </PageFrame>
  );
}

interface TemplateRowProps {
  readonly template: Template;
  readonly mayManage: boolean;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function TemplateRow({ template, mayManage, onEdit, onRemove }: TemplateRowProps) {
  const { name, command, argumentHint, description, origin, path, text } = template;
  return (
    <Row
      title={
        <code dir="ltr">
          /{command ?? name}
          {argumentHint !== undefined && ` ${argumentHint}`}
        </code>
      }
      badges={origin === 'workspace' && <span className="badge">{t('workspace')}</span>}
      about={
        <>
          <span dir="auto">{description}</span>
          {command === undefined && <> {t('Not offered: another command has the same name.')}</>}
          {origin === 'workspace' && (
            <>
              {' '}
              <code dir="ltr">{path}</code>
            </>
          )}
        </>
      }
      actions={
        origin === 'own' &&
        mayManage && (
          <>
            <button type="button" className="button" aria-label={t('Edit /{name}', { name })} onClick={onEdit}>
              <Pencil size={16} aria-hidden /> {t('Edit')}
            </button>
            <button type="button" className="button bare icon" aria-label={t('Delete /{name}', { name })} title={t('Delete')} onClick={onRemove}>
              <Trash2 size={16} aria-hidden />
            </button>
          </>
        )
      }
    >
      <details className="prompt-text">
        <summary className="small">{t('Text for the model')}</summary>
        <pre dir="auto">{text}</pre>
      </details>
    </Row>
  );
}
