// Renders the page that imports an exported JSON file as a chat.
import { useState } from 'react';
import type { RequestBody } from 'agent-harness/client';
import { goTo, useClient } from '#page/kit/hooks.ts';
import { useShell } from '#page/kit/shell-context.ts';
import { explainError } from '#page/kit/page/explain-error.ts';
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { TextField } from '#page/kit/page/text-field.tsx';
import { t } from '#page/kit/t.ts';
import './export-page.css';

export function ImportPage() {
  const client = useClient();
  const { tell } = useShell();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [folder, setFolder] = useState('');

  async function take(file: File): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      const body = readFile(await file.text());
      if (!body) return setProblem(t('This is not an exported chat. Export a chat as JSON, and choose that file.'));
      const { chatId, isNew, isInTrash } = await client.call('POST /api/chats/import', {
        body,
        query: folder.trim() === '' ? {} : { workspaceRoot: folder.trim() },
      });
      if (isInTrash) return setProblem(t('This chat was imported before and is in the trash. Restore it there.'));
      await client.refreshChats();
      goTo({ page: 'chat', id: chatId });
      tell(isNew ? t('The chat was imported.') : t('This chat was imported before.'));
    } catch (error) {
      setProblem(explainError(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <PageFrame title={t('Import a chat')} intro={t('From a JSON export. Nothing in it is executed.')} isBusy={isBusy}>
      <div className="page-card export-page">
        <TextField
          label={t('Folder (optional)')}
          hint={t('The chat works in this folder. Without one it gets an empty folder.')}
          value={folder}
          placeholder="/home/me/project"
          disabled={isBusy}
          onChange={setFolder}
        />
        <label>
          {t('File')}
          <input
            className="field"
            type="file"
            accept="application/json,.json"
            disabled={isBusy}
            onChange={(event) => {
              const [file] = event.target.files ?? [];
              if (file) void take(file);
              event.target.value = '';
            }}
          />
        </label>
        <p className="small" role="alert">
          {problem}
        </p>
      </div>
    </PageFrame>
  );
}

type Body = RequestBody<'POST /api/chats/import'>;

/** Parses the file; the server validates its content. */
function readFile(text: string): Body | undefined {
  try {
    const value = JSON.parse(text) as Partial<Body> | null;
    return value?.format === 'agent-chat' ? (value as Body) : undefined;
  } catch {
    return undefined;
  }
}
