// Renders a view with its actions: collects the input of an action, sends it to the server, and shows the result.
import { actionsOf, type View, type ViewAction } from 'agent-harness/view';
import { useMemo, useState } from 'react';
import { useClient } from '../hooks.ts';
import { Modal } from '../modal.tsx';
import { useAct } from '../page/use-act.ts';
import { useConfirm } from '../page/use-confirm.tsx';
import { saveFile } from '../save-file.ts';
import { useShell } from '../shell-context.ts';
import { t } from '../t.ts';
import { ActionForm } from './action-form.tsx';
import { Actions } from './row-actions.tsx';
import { ViewBlocks } from './view-blocks.tsx';
import { ActInViewContext, type ActInView, type FieldValue } from './view-context.ts';
import '../page/pages.css';
import './view.css';

interface Props {
  readonly view: View;
  /** Key of the stored state. */
  readonly id: string;
  readonly chatId?: string | undefined;
  /** Called with the view that an action returned. */
  readonly onView?: (view: View) => void;
  /** Whether the view is a snapshot, such as a tool result, and therefore has no actions. */
  readonly isPast?: boolean;
  /** Whether another element already shows the title. */
  readonly isUntitled?: boolean;
}

export function ViewCard({ view, id, chatId, onView, isPast = false, isUntitled = false }: Props) {
  const client = useClient();
  const { tell } = useShell();
  const { isBusy, run } = useAct();
  const [asked, setAsked] = useState<{ readonly action: ViewAction; readonly row?: string | undefined }>();
  const [confirm, dialog] = useConfirm();
  const { name } = view;
  const readWith = view.parameters?.values;

  const acting = useMemo((): ActInView | undefined => {
    if (name === undefined || isPast) return undefined;
    const send = (action: ViewAction, row?: string, input?: Readonly<Record<string, FieldValue>>): Promise<boolean> =>
      run(async () => {
        const done = await client.call('POST /api/views/:name/actions/:id', {
          params: { name, id: action.id },
          body: {
            ...(readWith === undefined ? {} : { parameters: readWith }),
            ...(chatId === undefined ? {} : { chatId }),
            ...(row === undefined ? {} : { row }),
            ...(input === undefined ? {} : { input }),
          },
        });
        if (done.file) saveFile(done.file.name, new Blob([done.file.text], { type: 'application/octet-stream' }));
        if (done.message !== undefined) tell(done.message);
        onView?.(done.view);
      });
    return {
      isBusy,
      async act(action, row, input) {
        if (action.input && input === undefined) {
          setAsked({ action, row });
          return false;
        }
        if (action.confirm === undefined) return send(action, row, input);
        const text = t(action.confirm);
        return new Promise((resolve) => confirm({ title: t(action.label), text, action: t(action.label), go: () => resolve(send(action, row, input)) }));
      },
    };
  }, [client, name, isPast, isBusy, chatId, readWith]); // eslint-disable-line react-hooks/exhaustive-deps -- `send` does the same in each render

  const inForms = new Set(view.blocks.flatMap((block) => (block.kind === 'form' ? [block.action] : [])));
  const buttons = actionsOf(view).filter(({ action, isOfRow }) => !isOfRow && !inForms.has(action.id));
  return (
    <ActInViewContext value={acting}>
      <div className="view" data-view={name} aria-busy={isBusy}>
        {view.title !== undefined && !isUntitled && <h2 dir="auto">{t(view.title)}</h2>}
        <ViewBlocks view={view} id={id} level={isUntitled ? 'h2' : 'h3'} />
        <Actions actions={buttons.map(({ action }) => action)} />
        {asked && (
          <Modal title={t(asked.action.label)} onClose={() => setAsked(undefined)}>
            <ActionForm action={asked.action} row={asked.row} onClose={() => setAsked(undefined)} />
          </Modal>
        )}
        {dialog}
      </div>
    </ActInViewContext>
  );
}
